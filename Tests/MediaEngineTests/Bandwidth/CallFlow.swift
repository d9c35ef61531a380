import MediaEngine
import Primitives
import RTP

/// One direction of a call: audio and video through a paced sender, and the receiver that reports on them.
struct CallFlow {
    private static let overhead = 66
    private static let audioByteCount = 80 + overhead
    /// What audio takes on the wire without copies.
    static let audioBitrate = Double(audioByteCount * 8 * 50)
    private static let mtu = 1200

    var sender: PacedSender<Int>
    var recorder = TransportFeedbackRecorder(sender: SSRC(2))
    var sendsAudio = true
    /// Bytes of earlier audio that each audio packet repeats.
    var copiedByteCount = 0
    var sendsVideo = true {
        didSet { sender.update { $0.setProbing(sendsVideo, at: nextVideo) } }
    }
    /// With less there is no video.
    var minimumVideoBitrate = 20_000.0
    /// The most that the video encoder makes.
    var maximumVideoBitrate = 2_500_000.0
    /// What an encoder makes that serves others too, whatever the share, and whether every other frame of it is left out.
    var encoding: (bitrate: Double, baseAlone: Bool)? {
        didSet { sender.update { $0.sendsPart = encoding?.baseAlone == true } }
    }

    private var random: SplitMix64
    private var nextAudio: MonoTime
    private var nextVideo: MonoTime
    private var hasSentVideo = false
    private var frameCount = 0

    init(_ limits: BitrateLimits = BitrateLimits(), start: MonoTime = .zero, sendsVideo: Bool = true, seed: UInt64) {
        random = SplitMix64(seed: seed)
        sender = PacedSender(CongestionController(limits, at: start))
        nextAudio = start
        nextVideo = start + .microseconds(Int64.random(in: 0..<33_000, using: &random))
        self.sendsVideo = sendsVideo
        if sendsVideo { sender.update { $0.setProbing(true, at: start) } }
    }

    var deadline: MonoTime? {
        earlier(earlier(nextAudio, nextVideo), earlier(sender.deadline, recorder.deadline))
    }

    /// Does what is due. Returns what leaves, as transport-wide numbers and lengths.
    mutating func advance(at now: MonoTime, leave: (SequenceNumber, Int) -> Void) {
        if nextAudio <= now {
            nextAudio += .milliseconds(20)
            if sendsAudio {
                let byteCount = Self.audioByteCount + copiedByteCount
                leave(sender.sendAudio(byteCount: byteCount, at: now), byteCount)
            }
        }
        if nextVideo <= now {
            nextVideo += .nanoseconds(33_333_333)
            if sendsVideo { enqueueFrame(at: now) }
        }
        guard let due = sender.deadline, due <= now else { return }
        sender.tick(at: now)
        while let departure = sender.next(at: now) {
            switch departure.content {
            case .packet(let byteCount), .padding(let byteCount): leave(departure.number, byteCount)
            }
        }
    }

    /// What of the target is left for video.
    var videoShare: Double {
        let audioBitrate = sendsAudio ? Self.audioBitrate + Double(copiedByteCount * 8 * 50) : 0
        return BitrateAllocation.share(
            sender.target,
            among: [
                .init(minimum: audioBitrate, maximum: audioBitrate, isEssential: true),
                .init(minimum: minimumVideoBitrate, maximum: maximumVideoBitrate),
            ])[1]
    }

    private mutating func enqueueFrame(at now: MonoTime) {
        if videoShare == 0 { sender.update { $0.pause(at: now) } }
        var bitrate = videoShare
        if let encoding {
            let isBase = frameCount % 2 == 0
            let baseShare = VideoEncoderSettings.baseShare
            bitrate = encoding.bitrate * 2 * (isBase ? baseShare : encoding.baseAlone ? 0 : 1 - baseShare)
        }
        frameCount += 1
        var rest = bitrate / 30 / 8 * (1 + 0.15 * random.normal()).clamped(to: 0.5...1.5)
        if !hasSentVideo { rest *= 4 }
        hasSentVideo = true
        while rest >= 1 {
            let byteCount = min(Int(rest.rounded(.up)), Self.mtu)
            sender.enqueue(byteCount, byteCount: byteCount, priority: .video, at: now)
            rest -= Double(byteCount)
        }
    }
}
