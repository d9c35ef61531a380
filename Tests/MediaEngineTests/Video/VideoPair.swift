import MediaEngine
import Primitives
import RTP

/// A sender and a receiver of video over two simulated links, on a virtual clock, feedback as real RTCP.
struct VideoPair {
    /// What the sender's side encodes: the model's own frames, or real ones.
    typealias Encode = (_ index: Int, _ time: MonoTime, _ isKeyFrame: Bool) throws -> EncodedVideoFrame?

    struct Shown {
        var index: Int
        var time: MonoTime
    }

    static let interval = Duration.nanoseconds(33_333_333)
    static let mediaType = PayloadType(96)
    static let repeatType = PayloadType(97)

    var sender: VideoSender
    var stream: RTPSendStream
    var throttle = KeyFrameThrottle()
    var receiver: VideoReceiver
    var forward: LossyLink
    var back: LossyLink
    /// Tells the receiver how long the round trip is, as RTCP would.
    var roundTrip: Duration
    var now = MonoTime.zero
    var sentCount = 0
    /// By the timestamp of the frame.
    var indices: [UInt32: Int] = [:]
    /// Frames in the order in which the receiver handed them out.
    var received: [(index: Int, frame: ReceivedVideoFrame, time: MonoTime)] = []
    var shown: [Shown] = []
    var metrics = FreezeMetrics()
    var keyFrameTimes: [MonoTime] = []
    var requestTimes: [MonoTime] = []
    var queue = PresentationQueue<Int>()
    /// The number of the last full intra request that was followed.
    var command: UInt8?
    /// Looks at each frame; `false`: it could not be decoded.
    var decode: (Int, ReceivedVideoFrame) -> Bool = { _, _ in true }

    init(
        codec: VideoCodec = .vp8, conditions: LossyLink.Conditions, seed: UInt64 = 1, usesRetransmission: Bool = true,
        usesNACK: Bool = true, usesFIR: Bool = false
    ) {
        var random = SplitMix64(seed: seed &+ 1000)
        let origin = StreamOrigin(using: &random)
        stream = RTPSendStream(origin: origin, payloadType: Self.mediaType, clockRateHz: 90_000)
        let configuration = VideoSender.Configuration(codec: codec)
        var repeatOrigin = StreamOrigin(using: &random)
        repeatOrigin.timestamp = origin.timestamp
        let repeated = RTPSendStream(origin: repeatOrigin, payloadType: Self.repeatType, clockRateHz: 90_000)
        sender = VideoSender(configuration, retransmission: usesRetransmission ? repeated : nil, using: &random)
        var receiving = VideoReceiver.Configuration(codecs: [Self.mediaType: codec])
        receiving.retransmissions = [Self.repeatType: Self.mediaType]
        receiving.usesNACK = usesNACK
        receiving.usesFIR = usesFIR
        receiver = VideoReceiver(receiving)
        roundTrip = conditions.delay + conditions.delay
        receiver.roundTrip = roundTrip
        forward = LossyLink(conditions, seed: seed)
        back = LossyLink(conditions, seed: seed &+ 77)
    }

    /// Runs for `seconds`, with a frame each `interval`.
    mutating func run(seconds: Double, encode: Encode = VideoPair.modelFrame) throws {
        let end = now + .fractional(seconds: seconds)
        while now < end {
            let nextFrame = MonoTime.zero + .nanoseconds(Int64(sentCount) * Self.interval.nanoseconds)
            let due = [forward.nextDelivery, back.nextDelivery, receiver.deadline, queue.deadline].reduce(nextFrame) {
                earlier($0, $1) ?? $0
            }
            now = max(now, due)
            guard now < end else { break }
            if now >= nextFrame { try sendFrame(encode) }
            deliver()
        }
        now = end
    }

    private mutating func sendFrame(_ encode: Encode) throws {
        let index = sentCount
        sentCount += 1
        let isKey = throttle.take(at: now) || index == 0
        guard let frame = try encode(index, now, isKey) else { return }
        if frame.isKeyFrame { keyFrameTimes.append(now) }
        indices[stream.timestamp(of: now)] = index
        for packet in sender.send(frame, capturedAt: now, through: &stream, at: now) {
            forward.enqueue(packet.bytes, at: now)
        }
    }

    private mutating func deliver() {
        while let datagram = forward.dequeue(at: now) {
            feed { receiver, now, out in receiver.receive(datagram.span.bytes, at: now, into: &out) }
        }
        feed { receiver, now, out in receiver.tick(at: now, into: &out) }
        while let datagram = back.dequeue(at: now) {
            guard let compound = try? RTCPCompound(parsing: datagram.span.bytes) else { continue }
            for packet in compound.packets { take(packet) }
        }
        if let index = queue.next(at: now) {
            shown.append(Shown(index: index, time: now))
            metrics.shown(at: now)
        }
    }

    private mutating func take(_ packet: RTCPPacket) {
        switch packet {
        case .nack(let nack):
            for packet in sender.retransmit(nack.missing, roundTrip: roundTrip, at: now) {
                forward.enqueue(packet.bytes, at: now)
            }
        case .pictureLoss: throttle.request(at: now)
        case .fullIntraRequest(let request):
            // A number that is known is the same command again.
            guard let number = request.entries.first?.number, number != command else { break }
            command = number
            throttle.request(at: now)
        default: break
        }
    }

    /// A sender report that gets there at once.
    mutating func report() {
        guard let report = stream.senderReport(ntp: NTPTime(bits: 0), at: now) else { return }
        feed { receiver, now, _ in receiver.receive(report, at: now) }
    }

    /// A screen that stands still sends nothing but what is asked for.
    static func stillFrame(_ index: Int, _ time: MonoTime, _ isKeyFrame: Bool) -> EncodedVideoFrame? {
        isKeyFrame ? modelFrame(index, time, true) : nil
    }

    /// Lets the receiver do something, and takes what comes of it.
    mutating func feed(_ body: (inout VideoReceiver, MonoTime, inout Outbox<VideoReceiver.Event>) -> Void) {
        var out = Outbox<VideoReceiver.Event>()
        body(&receiver, now, &out)
        for event in out.events {
            switch event {
            case .frame(let frame): take(frame)
            case .missing(let numbers):
                reply(.nack(.init(sender: SSRC(1), media: stream.ssrc, missing: numbers)))
            case .keyFrameNeeded:
                requestTimes.append(now)
                reply(.pictureLoss(sender: SSRC(1), media: stream.ssrc))
            case .keyFrameDemanded(let number):
                requestTimes.append(now)
                let entry = FullIntraRequest.Entry(media: stream.ssrc, number: number)
                reply(.fullIntraRequest(.init(sender: SSRC(1), entries: [entry])))
            }
        }
    }

    private mutating func take(_ frame: ReceivedVideoFrame) {
        guard let index = indices[frame.timestamp] else { return }
        received.append((index, frame, now))
        guard decode(index, frame) else {
            receiver.decodingFailed(at: now)
            return
        }
        queue.insert(index, showAt: frame.renderTime)
    }

    private mutating func reply(_ packet: RTCPPacket) {
        back.enqueue(RTCPCompound([packet]).bytes, at: now)
    }

    /// A frame whose bytes begin like VP8's or VP9's, then say its number and that of the frame that it depends on.
    static func modelFrame(_ index: Int, _ time: MonoTime, _ isKeyFrame: Bool) -> EncodedVideoFrame {
        let layer = isKeyFrame ? 0 : index % 2
        var random = SplitMix64(seed: UInt64(index))
        var writer = ByteWriter()
        writer.write(UInt8(isKeyFrame ? 0x10 : 0x11))
        writer.write(UInt32(index))
        let count = isKeyFrame ? 12_000 : (layer == 0 ? 3500 : 2000) + Int(random.next() % 1000)
        writer.write([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: count))
        return EncodedVideoFrame(
            bytes: writer.bytes, isKeyFrame: isKeyFrame, temporalLayer: layer, isLayerSync: layer > 0, qp: 30,
            size: VideoSize(width: 640, height: 360))
    }

    /// The longest time between two pictures shown after `start`.
    func longestGap(after start: MonoTime = .zero + .seconds(1)) -> Duration {
        zip(shown, shown.dropFirst()).filter { $0.0.time >= start }.map { $1.time - $0.time }.max() ?? .seconds(1000)
    }
}

extension LossyLink.Conditions {
    static func path(
        delay: Int, loss: Double = 0, burst: Double = 1, jitter: Int = 0, reorders: Bool = false
    ) -> LossyLink.Conditions {
        var conditions = LossyLink.Conditions()
        conditions.delay = .milliseconds(delay)
        conditions.jitter = .milliseconds(jitter)
        conditions.reorders = reorders
        if loss > 0 { conditions.loss = burst > 1 ? .bursty(rate: loss, burst: burst) : .random(rate: loss) }
        return conditions
    }
}
