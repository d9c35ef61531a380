import MediaEngine
import Primitives
import RTP
import Reactor
import SDP
import Transport

/// The pictures of one peer, both ways: what is sent, what is repeated, what is put together.
@EngineActor
final class PeerVideo {
    /// With less there is no picture.
    private static let minimumBitrate = 50_000.0

    private unowned let peer: PeerSession
    var parameters: VideoParameters
    private(set) var sender: VideoSender
    private(set) var receiver: VideoReceiver
    private var timer: EngineTimer?
    /// Which of our layers the peer is sent; `nil`: none.
    private(set) var layer: VideoLayer?
    /// Whether the peer would be sent pictures if its path could carry them.
    private var isWanted = false
    /// Whether pictures go to the peer, or would.
    var isOfUse: Bool { isWanted || layer != nil }
    /// The peer's newest picture and when it is shown.
    private(set) var presentation: StreamSynchronizer.Presentation?
    /// Called with each frame of the peer that is to be decoded.
    var onFrame: ((ReceivedVideoFrame) -> Void)?
    /// Called when the peer needs a key frame of the layer that it is sent.
    var onKeyFrameWanted: ((VideoLayer) -> Void)?

    /// - Parameter last: the pictures that were agreed on before, of the same streams.
    init(_ parameters: VideoParameters, of peer: PeerSession, after last: PeerVideo?, at now: MonoTime) {
        self.peer = peer
        self.parameters = parameters
        var random = SystemRandomNumberGenerator()
        sender = VideoSender(
            .init(codec: VideoCodec(parameters.sending.codec)),
            retransmission: Self.retransmission(parameters, of: peer, using: &random), using: &random)
        receiver = VideoReceiver(parameters.receiverConfiguration)
        if let last { receiver.command = last.receiver.command }
        timer = EngineTimer { [weak self] in self?.tick() }
        peer.path.removeVideo()
        peer.path.makePadding = { [weak self] in self?.sender.makePadding(byteCount: $0, at: $1) }
    }

    private static func retransmission(
        _ parameters: VideoParameters, of peer: PeerSession, using random: inout SystemRandomNumberGenerator
    ) -> RTPSendStream? {
        guard let type = parameters.sending.retransmission else { return nil }
        var origin = StreamOrigin(using: &random)
        origin.timestamp = peer.rtcp.senders[PeerSession.videoStream].origin.timestamp
        var stream = RTPSendStream(origin: origin, payloadType: type, clockRateHz: 90_000)
        stream.mid = peer.rtcp.senders[PeerSession.videoStream].mid
        stream.departure = parameters.departure
        return stream
    }

    /// Bits a second that the path has for our pictures beside the sound; 0: too few for any. Where sound is not numbered,
    /// what is estimated is what it leaves.
    func share(maximum: Double) -> Double {
        let sound = peer.path.soundBitrate
        return BitrateAllocation.share(
            path.target,
            among: [
                .init(minimum: sound, maximum: sound, isEssential: true),
                .init(minimum: Self.minimumBitrate, maximum: maximum, isOn: layer != nil),
            ])[1]
    }

    /// The layer of which the peer has yet to be sent the first picture; `nil`: it waits for none.
    var awaitedLayer: VideoLayer? { sender.awaitsKeyFrame && peer.canSendVideo ? layer : nil }

    /// What the path is estimated to carry, in bits a second.
    var availableBitrate: Double { path.target }

    /// Whether it can be tried what more the path carries than what is sent.
    var canBeProbed: Bool { path.congestion.feedback == .transportWide && sender.retransmission != nil }

    private var path: PacedSender<OutgoingVideoPacket> { peer.path.paced }

    /// Says which of the layers the peer is sent from now on. `isWanted`: it would be sent one if its path could carry it,
    /// which is then tried for; `baseAlone`: every other frame is left out.
    func use(_ new: VideoLayer?, isWanted: Bool, baseAlone: Bool = false) {
        self.isWanted = isWanted
        sender.highestLayer = baseAlone ? 0 : .max
        if path.congestion.sendsPart != baseAlone { peer.path.update { $0.sendsPart = baseAlone } }
        if !isWanted { peer.path.update { $0.setProbing(false, at: .now()) } }
        if isWanted, new == nil { peer.path.update { $0.pause(at: .now()) } }
        guard new != layer else { return }
        layer = new
        sender.restart()
        peer.path.removeVideo()
        if let new { onKeyFrameWanted?(new) }
    }

    /// Says what is wanted of the path at the most, in bits a second.
    func setMaximum(_ bitrate: Double) {
        var limits = path.congestion.limits
        guard limits.maximum != bitrate else { return }
        limits.maximum = bitrate
        peer.path.update { $0.setLimits(limits, at: .now()) }
    }

    /// Sends a picture of a layer, if it is the peer's.
    func send(_ output: LayerEncoder.Output, of layer: VideoLayer) {
        guard layer == self.layer, peer.canSendVideo, use(output.codec) else { return }
        let now = MonoTime.now()
        let packets = sender.send(
            output.frame, capturedAt: output.captured, through: &peer.rtcp.senders[PeerSession.videoStream], at: now)
        // What fills probes up repeats what was sent before, in a stream of its own.
        if !packets.isEmpty, isWanted, sender.retransmission != nil {
            peer.path.update { $0.setProbing(true, at: now) }
        }
        peer.path.enqueue(packets, priority: .video, at: now)
    }

    /// Whether the peer takes pictures of this encoding.
    func takes(_ codec: VideoCodec) -> Bool {
        parameters.format(of: codec) != nil
    }

    /// Numbers what is sent as this encoding; `false`: the peer does not take it.
    private func use(_ codec: VideoCodec) -> Bool {
        guard sender.configuration.codec != codec else { return true }
        guard let format = parameters.format(of: codec) else { return false }
        sender.use(codec, retransmissionType: format.retransmission)
        peer.rtcp.senders[PeerSession.videoStream].payloadType = format.payloadType
        return true
    }

    private func tick() {
        guard !peer.isClosed else { return }
        run { $0.tick(at: $1, into: &$2) }
        arm()
    }

    private func arm() {
        timer?.arm(at: receiver.deadline)
    }
}

/// What comes from the peer.
extension PeerVideo {
    /// Takes an RTP packet of the peer's pictures.
    func receive(_ packet: RTPPacket, of datagram: RawSpan, at now: MonoTime) {
        if parameters.isOriginal(packet.header.payloadType) {
            let stream = PeerSession.videoStream
            let count = packet.payloadRange.count
            if case .dropped(.implausible) = peer.rtcp.receivers[stream].receive(
                packet.header, payloadByteCount: count, at: now)
            {
                return
            }
        }
        run { $0.receive(datagram, at: $1, into: &$2) }
        arm()
    }

    /// What is added to the delay so that the picture comes with its sound.
    func setSyncDelay(_ delay: Duration) {
        receiver.syncDelay = delay
    }

    /// Says what the peer is to be expected to send.
    func expect(_ expectation: VideoReceiver.Expectation) {
        receiver.expect(expectation, at: .now())
        tick()
    }

    /// The decoder needs a key frame.
    func decodingFailed() {
        receiver.decodingFailed(at: .now())
        tick()
    }

    private func run(_ body: (inout VideoReceiver, MonoTime, inout Outbox<VideoReceiver.Event>) -> Void) {
        var out = Outbox<VideoReceiver.Event>()
        receiver.roundTrip = peer.rtcp.roundTrip.latest
        body(&receiver, .now(), &out)
        let sender = peer.rtcp.senders[PeerSession.videoStream].ssrc
        for event in out.events {
            switch event {
            case .frame(let frame):
                presentation = .init(timestamp: frame.timestamp, time: max(frame.renderTime, .now()))
                onFrame?(frame)
            case .missing(let numbers):
                guard let media = peer.rtcp.receivers[PeerSession.videoStream].ssrc else { continue }
                let nack = NegativeAcknowledgement(sender: sender, media: media, missing: numbers)
                peer.runRTCP { $0.send(.nack(nack), at: $1, into: &$2) }
            case .keyFrameNeeded:
                guard let media = peer.rtcp.receivers[PeerSession.videoStream].ssrc else { continue }
                peer.runRTCP { $0.send(.pictureLoss(sender: sender, media: media), at: $1, into: &$2) }
            case .keyFrameDemanded(let number):
                guard let media = peer.rtcp.receivers[PeerSession.videoStream].ssrc else { continue }
                let request = FullIntraRequest(sender: sender, entries: [.init(media: media, number: number)])
                peer.runRTCP { $0.send(.fullIntraRequest(request), at: $1, into: &$2) }
            }
        }
    }

    /// Takes what the peer says of our pictures. Returns whether it was of them alone.
    func took(_ event: RTCPSession.Event) -> Bool {
        let now = MonoTime.now()
        let own = peer.rtcp.senders[PeerSession.videoStream].ssrc
        switch event {
        case .keyFrameWanted:
            if let layer { onKeyFrameWanted?(layer) }
        case .packetsMissing(let ssrc, let numbers) where ssrc == own:
            let packets = sender.retransmit(numbers, roundTrip: peer.rtcp.roundTrip.latest, at: now)
            peer.path.enqueue(packets, priority: .retransmission, at: now)
        case .receptionReported(let ssrc): return ssrc == own
        case .senderReported:
            if let report = peer.rtcp.receivers[PeerSession.videoStream].lastSenderReport {
                receiver.receive(report, at: now)
                arm()
            }
            return false
        case .roundTrip, .goodbye, .packetsMissing, .bitrateLimited, .packetsArrived: return false
        }
        return true
    }
}
