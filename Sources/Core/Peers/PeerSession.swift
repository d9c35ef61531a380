import ControlProtocol
import MediaEngine
import Primitives
import RTP
import Reactor
import SDP
import Signaling
import Transport

/// What the call hears from one of its peers.
@EngineActor
protocol PeerSessionOwner: AnyObject {
    /// Says something to the peer through the room.
    func peer(_ peer: PeerSession, says message: PeerMessage)
    /// An audio packet has arrived; `packet.stream` is filled in by the owner.
    func peer(_ peer: PeerSession, received packet: AudioPacket, payload: UnsafeRawBufferPointer)
    /// A picture of the peer is whole.
    func peer(_ peer: PeerSession, received frame: ReceivedVideoFrame)
    /// The peer needs a key frame of the layer that it is sent.
    func peer(_ peer: PeerSession, wantsKeyFrameOf layer: VideoLayer)
    /// Pictures are agreed on or not any more, can flow now, or the peer wants another layer.
    func peerVideoChanged(_ peer: PeerSession)
    /// The path from the peer carries less of its picture than we wish, or more again.
    func peerLimitChanged(_ peer: PeerSession)
    /// The peer has told what it receives of us.
    func peer(_ peer: PeerSession, reported reception: RemoteReception)
    /// The link's state has changed.
    func peerLinkChanged(_ peer: PeerSession)
    /// The agreed media, the path or the chat have changed.
    func peerChanged(_ peer: PeerSession)
    /// Media can flow for the first time.
    func peerConnected(_ peer: PeerSession)
    /// The peer's stream began anew: what is buffered no longer counts.
    func peerRestartedStream(_ peer: PeerSession)
    /// The peer has written.
    func peer(_ peer: PeerSession, said text: ChatText)
    /// The peer writes faster than is taken; the rest is dropped.
    func peerSaysTooMuch(_ peer: PeerSession)
    /// The peer is gone: it hung up, or nothing was heard of it for 20 s.
    func peerGone(_ peer: PeerSession, reason: String)
    /// The code to compare is known, and the certificate that it vouches for.
    func peer(_ peer: PeerSession, authenticated code: AuthenticationCode, _ fingerprint: CertificateFingerprint)
    /// Somebody tampers: there is no code and never will be.
    func peer(_ peer: PeerSession, refused error: AuthenticationError)
}

/// The connection to one other member: negotiation, transport, RTP and RTCP, liveness, figures.
@EngineActor
final class PeerSession {
    /// How the link stands, as people see it.
    enum Link: Hashable {
        case connecting
        case connected
        case lost
        case restarting
        case failed(String)
    }

    /// What all peers of a call share.
    struct Context {
        var room: String
        var myID: MemberID
        var identity: DTLSIdentity
        var transport: TransportConfiguration
        var canonicalName: String
        /// The length of packets that we wish for; `nil`: as the peer likes.
        var packetTime: Duration?
        /// What we speak, best first.
        var codecs: [NegotiatedCodec]
        /// Which way audio may flow: none from a listener.
        var direction: MediaDirection
        /// What is preferred for pictures; `nil`: there are none.
        var videoCodec: VideoCodec?
    }

    /// The place of the pictures among the streams of `rtcp`; the sound has the first.
    static let videoStream = 1
    static let videoClockRateHz: Int32 = 90_000

    let member: RoomMember
    let context: Context
    weak var owner: (any PeerSessionOwner)?
    var transport: PeerTransport
    var negotiation: Negotiation
    var rtcp: RTCPSession
    var liveness: Liveness
    var authentication: AuthenticationString?
    /// What the peer's certificate has to be, as its descriptions say.
    var remoteFingerprint: CertificateFingerprint?
    var history: PeerHistory
    /// What carries sound and pictures to the peer.
    private(set) lazy var path = PeerPath(of: self, at: .now())
    /// What the peer loses of our sound, and what is repeated of it in each packet.
    var redundancy: RedundancyPolicy
    var repeater = PayloadRepeater()
    private(set) var copies = 0
    var encodings = EncodingChoice()
    var media: AudioParameters?
    /// What the peer's last packet was encoded by.
    var receiving: AudioParameters.Format?
    var chat: ChatIntake
    var synchronizer = StreamSynchronizer()
    /// When something of the peer's sound was last heard.
    var heard = MonoTime.zero
    /// The pictures, once they are agreed on.
    var video: PeerVideo?
    /// What the peer wants of our pictures, and what it was last told that we want of its.
    var pictureWish = PictureWish(layer: .high)
    var toldWish = PictureWish.Layer.high
    /// The largest of our pictures that the path carries, as the peer was last told; and of its, as it tells us.
    var toldLimit = PictureWish.Layer.high
    private var carried = PictureWish.Layer.high
    /// Why the peer is sent no picture although it wants one; `nil`: it is, or wants none.
    var unsentReason: String?
    /// Messages written to the peer, and their bytes.
    var chatSent = (count: 0, byteCount: 0)
    /// Whether what is written reaches the peer.
    var canChat = false
    private(set) var link = Link.connecting
    /// What the peer said when it ended its stream.
    var goodbye: String?
    var hasConnected = false
    private(set) var isClosed = false
    var rtcpTimer: EngineTimer?
    var livenessTimer: EngineTimer?
    /// Where outgoing packets are written.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1500, alignment: 16)

    /// - Parameter offers: whether this side makes the first offer: the one who came later does.
    init(member: RoomMember, offers: Bool, context: Context, owner: any PeerSessionOwner) throws(TransportError) {
        self.member = member
        self.context = context
        self.owner = owner
        let handler = TransportHandler()
        let transport = try PeerTransport(
            configuration: context.transport, isControlling: offers, identity: context.identity,
            onEvent: { handler.peer?.transportEvent($0) })
        self.transport = transport
        negotiation = Self.makeNegotiation(member: member, context: context, transport: transport)
        var random = SystemRandomNumberGenerator()
        let now = MonoTime.now()
        let origin = StreamOrigin(using: &random)
        rtcp = RTCPSession(
            .init(canonicalName: context.canonicalName, localSSRC: origin.ssrc), seed: random.next(), ntp: .now(),
            at: now)
        rtcp.senders = [
            RTPSendStream(
                origin: origin, payloadType: PayloadType(111), clockRateHz: Int32(AudioFormat.rateHz),
                levelExtensionID: nil),
            RTPSendStream(
                origin: StreamOrigin(using: &random), payloadType: PayloadType(96), clockRateHz: Self.videoClockRateHz),
        ]
        rtcp.receivers = [
            RTPReceiveStream(clockRateHz: Int32(AudioFormat.rateHz)),
            RTPReceiveStream(clockRateHz: Self.videoClockRateHz),
        ]
        liveness = Liveness(at: now)
        history = PeerHistory(at: now)
        redundancy = RedundancyPolicy(at: now)
        chat = ChatIntake(at: now)
        authentication = Self.makeAuthentication(member: member, context: context, using: &random)
        handler.peer = self
        transport.onPacket = { [weak self] kind, bytes, arrival in self?.received(kind, bytes, at: arrival) }
        rtcpTimer = EngineTimer { [weak self] in self?.runRTCP { $0.tick(at: $1, into: &$2) } }
        livenessTimer = EngineTimer { [weak self] in self?.runLiveness { $0.tick(at: $1, into: &$2) } }
        transport.gatherCandidates()
        if offers { perform(negotiation.start()) }
        perform(authentication?.start())
    }

    isolated deinit {
        buffer.deallocate()
    }

    /// Says goodbye and stops. Idempotent.
    func close(reason: String? = nil) {
        guard !isClosed else { return }
        isClosed = true
        runRTCP { $0.close(reason: reason, at: $1, into: &$2) }
        rtcpTimer = nil
        livenessTimer = nil
        transport.close()
    }

    /// Decides anew how much of our sound is repeated; to be called once a second. Sound is numbered only while that is of
    /// use, beside pictures or when some of it is lost: feedback costs both sides.
    func updateRedundancy(at now: MonoTime) {
        redundancy.hasInbandRedundancy = media?.opus.usesInbandFEC ?? false
        redundancy.update(isCongested: path.isCongested, at: now)
        let limit = media?.opus.maximumAverageBitrate.map(Int.init) ?? .max
        let possible = media?.redundancy == nil ? 0 : redundancy.copies
        copies = (0...possible).last { $0 == 0 || RedundancyPolicy.bitrate(copies: $0) * ($0 + 1) <= limit } ?? 0
        let isOfUse = video?.isOfUse == true || redundancy.isConcerned(at: now)
        rtcp.senders[0].departure = isOfUse && media?.transportSequenceExtension != nil ? path.numbering : nil
    }

    func setLink(_ new: Link) {
        guard new != link, !isClosed else { return }
        link = new
        owner?.peerLinkChanged(self)
    }

    /// What the path makes of the peer's picture; `nil`: it is as we wish.
    var limit: VideoLimit? {
        switch carried {
        case .none where toldWish != .none: .soundOnly
        case .low where toldWish == .high: .smallPicture
        case .none, .low, .high: nil
        }
    }

    /// The peer tells what its path carries.
    func receive(_ limit: PictureLimit) {
        let former = self.limit
        carried = limit.layer
        if self.limit != former { owner?.peerLimitChanged(self) }
    }

    /// Whether the peer takes a missing picture for a fault, as those do who do not say that they know better.
    var needsPictures: Bool {
        !member.capabilities.contains(RoomProtocol.picturesCapability)
    }

    /// Whether the peer has agreed to send: something then comes from it at least once a second. One that is held or only
    /// listens may be silent for longer than RTCP's usual interval; that it is there, ICE makes sure of (RFC 7675).
    var isExpectingMedia: Bool {
        hasConnected && media?.direction.receives ?? false
    }

    /// Watches for silence from now on, where there should be none. Before the first connection ICE and DTLS have their
    /// own limits.
    func watchLiveness() {
        liveness = Liveness(at: .now())
        livenessTimer?.arm(at: isExpectingMedia ? liveness.deadline : nil)
    }

    func runLiveness(_ body: (inout Liveness, MonoTime, inout Outbox<Liveness.Event>) -> Void) {
        guard !isClosed else { return }
        var out = Outbox<Liveness.Event>()
        body(&liveness, .now(), &out)
        for event in out.events { took(event) }
        livenessTimer?.arm(at: isExpectingMedia ? liveness.deadline : nil)
    }

    private func took(_ event: Liveness.Event) {
        switch event {
        case .lost: setLink(.lost)
        case .restartWanted:
            setLink(.restarting)
            restartICE()
        case .removed: owner?.peerGone(self, reason: "nothing was heard for 20 s")
        case .alive: setLink(.connected)
        }
    }
}

/// The way from a transport to the session that owns it, which does not exist when the transport is made.
@EngineActor
private final class TransportHandler {
    weak var peer: PeerSession?
}
