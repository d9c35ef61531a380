package import Primitives
package import RTP

/// The RTCP of one peer connection: owns its streams, reports on them at least once a second, whether anything is sent
/// or not, and takes the peer's reports.
///
/// Regular reports are compound, with SR or RR and the canonical name; feedback goes out at once, alone where RFC 5506
/// was negotiated. One who sends nothing attaches a reference time (RFC 3611, section 4.4), so that the round trip is
/// known to the muted as well.
package struct RTCPSession: Machine, Sendable {
    package struct Configuration: Sendable {
        /// The canonical name (RFC 7022), the same in all of this side's streams and sessions of a call.
        package var canonicalName: String
        /// Who reports while there is no send stream.
        package var localSSRC: SSRC
        /// Whether feedback may go without a report around it (`a=rtcp-rsize`).
        package var usesReducedSize: Bool

        package init(canonicalName: String, localSSRC: SSRC, usesReducedSize: Bool = true) {
            self.canonicalName = canonicalName
            self.localSSRC = localSSRC
            self.usesReducedSize = usesReducedSize
        }
    }

    package enum Event: Hashable, Sendable {
        /// The round trip was measured.
        case roundTrip(Duration)
        /// The peer told how it receives the send stream `ssrc`; `remoteReception(of:)` has it.
        case receptionReported(SSRC)
        /// The peer sent a report on its own stream.
        case senderReported(SSRC)
        /// The peer wants a key frame of the send stream `ssrc`.
        case keyFrameWanted(SSRC)
        /// The peer misses packets of the send stream `ssrc`.
        case packetsMissing(SSRC, [SequenceNumber])
        /// The peer wants no more than so many bits a second in all.
        case bitrateLimited(UInt64)
        /// The peer told when the packets of this side's transport arrived.
        case packetsArrived(TransportFeedback)
        /// The peer ended sources of its own.
        case goodbye([SSRC], reason: String?)
    }

    /// The reports' intervals are drawn from here: never in step with the peers', never a second apart.
    package static let intervals = Duration.milliseconds(500)...Duration.milliseconds(950)
    /// For so long after its last packet a stream still sends sender reports.
    static let senderPeriod = Duration.seconds(2)
    /// Reference times that are kept to be answered.
    static let maximumReferenceCount = 8

    package let configuration: Configuration
    /// The streams that this side sends. The owner writes packets with them.
    package var senders: [RTPSendStream] = []
    /// The streams that the peer sends. The owner hands packets to them.
    package var receivers: [RTPReceiveStream] = []
    package internal(set) var roundTrip = RoundTripTimer()
    package internal(set) var counters = RTCPCounters()

    var receptions: [SSRC: RemoteReception] = [:]
    /// Intra requests already followed, by stream: a repeated number is the same demand.
    var lastIntraRequest: [SSRC: UInt8] = [:]
    var references: [ReceivedReference] = []
    private var wallClock: (ntp: NTPTime, at: MonoTime)
    private var random: SplitMix64
    private var nextReport: MonoTime?

    /// A reference time of the peer, which the next report answers.
    struct ReceivedReference {
        var receiver: SSRC
        var middle: UInt32
        var arrival: MonoTime
    }

    /// `ntp` is the wall clock's time at `now`; `seed` draws the intervals. The first report is due at once.
    package init(_ configuration: Configuration, seed: UInt64, ntp: NTPTime, at now: MonoTime) {
        self.configuration = configuration
        wallClock = (ntp, now)
        random = SplitMix64(seed: seed)
        nextReport = now
    }

    package var deadline: MonoTime? {
        nextReport
    }

    package mutating func tick(at now: MonoTime, into out: inout Outbox<Event>) {
        guard let due = nextReport, due <= now else { return }
        send(makeReport(at: now), into: &out)
        let range = Self.intervals.lowerBound.nanoseconds...Self.intervals.upperBound.nanoseconds
        nextReport = now + .nanoseconds(Int64.random(in: range, using: &random))
    }

    /// Sends feedback now: alone if that was negotiated, otherwise behind a report.
    package mutating func send(_ feedback: RTCPPacket, at now: MonoTime, into out: inout Outbox<Event>) {
        guard nextReport != nil else { return }
        send((configuration.usesReducedSize ? [] : makeReport(at: now)) + [feedback], into: &out)
    }

    /// Says goodbye for all sources. Nothing is sent afterwards; closing again does nothing.
    package mutating func close(reason: String? = nil, at now: MonoTime, into out: inout Outbox<Event>) {
        guard nextReport != nil else { return }
        let goodbye = Goodbye(sources: localSources, reason: reason)
        send(makeReport(at: now) + [.goodbye(goodbye)], into: &out)
        nextReport = nil
    }

    /// How the peer receives the send stream `ssrc`; `nil`: it has not told.
    package func remoteReception(of ssrc: SSRC) -> RemoteReception? {
        receptions[ssrc]
    }

    /// The wall clock at `now`. It runs with the monotonic clock from the start, so a step of the system's clock does
    /// not disturb the round trips.
    func ntp(at now: MonoTime) -> NTPTime {
        let (seconds, rest) = (now - wallClock.at).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let elapsed = UInt64(bitPattern: seconds << 32 &+ rest << 32 / 1_000_000_000)
        return NTPTime(bits: wallClock.ntp.bits &+ elapsed)
    }

    var localSources: [SSRC] {
        senders.isEmpty ? [configuration.localSSRC] : senders.map(\.ssrc)
    }

    private mutating func send(_ packets: [RTCPPacket], into out: inout Outbox<Event>) {
        let datagram = RTCPCompound(packets).bytes
        counters.sentDatagramCount += 1
        counters.sentByteCount += datagram.count
        out.send(datagram)
    }
}
