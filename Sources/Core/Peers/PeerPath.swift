import MediaEngine
import Primitives
import RTP
import Reactor
import Transport

/// The path to one peer, for sound and pictures together: at which pace they leave, under which numbers, what the peer
/// tells of their arrival, and what it is told of the arrival of its own.
@EngineActor
final class PeerPath {
    private unowned let peer: PeerSession
    private(set) var paced: PacedSender<OutgoingVideoPacket>
    private var recorder: TransportFeedbackRecorder
    private var timer: EngineTimer?
    /// What packets say of their departure; `nil`: nothing was agreed on.
    private var departure: DepartureExtension?
    /// What numbered sound took of late, in bits a second, and what has left of it since.
    private(set) var soundBitrate = 0.0
    private var sound = (byteCount: 0, since: MonoTime.zero)
    /// Makes a packet of about so many bytes that fills a probe up.
    var makePadding: ((Int, MonoTime) -> OutgoingVideoPacket?)?

    init(of peer: PeerSession, at now: MonoTime) {
        self.peer = peer
        paced = PacedSender(CongestionController(BitrateLimits(), feedback: .reports, at: now))
        recorder = TransportFeedbackRecorder(sender: peer.rtcp.senders[0].ssrc)
        timer = EngineTimer { [weak self] in self?.tick() }
    }

    /// Whether the path loses because it is full.
    var isCongested: Bool { paced.congestion.isCongested(at: .now()) }

    /// What a packet says that the peer tells the arrival of; `nil`: it tells of its reception alone.
    var numbering: DepartureExtension? {
        if case .sequenceNumber = departure { departure } else { nil }
    }

    /// Says what was agreed on about the departure of packets.
    func setDeparture(_ new: DepartureExtension?, at now: MonoTime) {
        departure = new
        let feedback: CongestionController.Feedback = numbering == nil ? .reports : .transportWide
        guard feedback != paced.congestion.feedback else { return }
        paced = PacedSender(CongestionController(paced.congestion.limits, feedback: feedback, at: now))
    }

    /// Tells the congestion controller something.
    func update(_ body: (inout CongestionController) -> Void) {
        paced.update(body)
        pump(at: .now())
    }

    /// Lets packets wait for their turn.
    func enqueue(_ packets: [OutgoingVideoPacket], priority: PacketPriority, at now: MonoTime) {
        for packet in packets {
            paced.enqueue(packet, byteCount: packet.bytes.count, priority: priority, at: now)
        }
        pump(at: now)
    }

    /// Forgets the pictures that wait.
    func removeVideo() {
        paced.removeAll(.video)
    }

    /// Sends an audio packet, which never waits; one that is numbered has room for that, and counts.
    func sendAudio(_ packet: UnsafeMutableRawBufferPointer, isNumbered: Bool, at now: MonoTime) {
        if isNumbered, let numbering {
            let number = paced.sendAudio(byteCount: packet.count, at: now)
            measureSound(byteCount: packet.count, at: now)
            _ = numbering.write(number, at: now, into: packet)
            arm()
        } else {
            soundBitrate = 0
        }
        peer.transport.sendRTP(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(packet)))
    }

    private func measureSound(byteCount: Int, at now: MonoTime) {
        sound.byteCount += byteCount
        let elapsed = now - sound.since
        guard elapsed >= .seconds(1) else { return }
        // The time before was none of sound.
        if elapsed < .seconds(2) { soundBitrate = Double(sound.byteCount * 8) / elapsed.seconds }
        sound = (0, now)
    }

    /// Notes the arrival of a packet of the peer, if it is numbered.
    func received(_ packet: RTPPacket, of datagram: RawSpan, at arrival: MonoTime) {
        guard let numbering, let number = packet.transportSequence(id: numbering.id, in: datagram) else { return }
        recorder.receive(number, of: packet.header.ssrc, byteCount: datagram.byteCount, at: arrival)
        arm()
    }

    /// Takes what the peer tells of the path.
    func took(_ event: RTCPSession.Event) {
        let now = MonoTime.now()
        switch event {
        case .bitrateLimited(let bitrate): update { $0.receive(maximumBitrate: bitrate, at: now) }
        case .packetsArrived(let feedback):
            update { peer.redundancy.report(LossBucket(runsOfAudioIn: $0.receive(feedback, at: now)), at: now) }
        case .receptionReported(let ssrc) where ssrc == peer.rtcp.senders[PeerSession.videoStream].ssrc:
            guard let reception = peer.rtcp.remoteReception(of: ssrc) else { return }
            update { $0.receive(reception, at: now) }
        case .roundTrip, .senderReported, .goodbye, .keyFrameWanted, .packetsMissing, .receptionReported: break
        }
    }

    private func pump(at now: MonoTime) {
        while let departure = paced.next(at: now) {
            let packet: OutgoingVideoPacket? =
                switch departure.content {
                case .packet(let packet): packet
                case .padding(let byteCount): makePadding?(byteCount, now)
                }
            if let packet { leave(packet.bytes, number: departure.number, at: now) }
        }
        arm()
    }

    private func leave(_ packet: [UInt8], number: SequenceNumber, at now: MonoTime) {
        var packet = packet
        if let departure {
            packet.withUnsafeMutableBytes { _ = departure.write(number, at: now, into: $0) }
        }
        peer.transport.sendRTP(packet)
    }

    private func tick() {
        guard !peer.isClosed else { return }
        let now = MonoTime.now()
        paced.tick(at: now)
        for feedback in recorder.makeFeedback(at: now) {
            peer.runRTCP { $0.send(.transportFeedback(feedback), at: $1, into: &$2) }
        }
        pump(at: now)
    }

    private func arm() {
        timer?.arm(at: earlier(paced.deadline, recorder.deadline))
    }
}
