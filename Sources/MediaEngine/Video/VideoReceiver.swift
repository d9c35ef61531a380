package import Primitives
package import RTP

/// One video stream of a peer: puts packets together to frames, asks for what is missing, and hands out each frame when
/// it is time to decode it.
///
/// Takes whole RTP packets of the stream and of the one that repeats its packets (RFC 4588), told apart by their payload
/// types. The owner sends what is asked for by RTCP and tells the round trip. A loss is first mended by a repetition;
/// when none comes, a frame that nothing depends on is left out, and otherwise a key frame is asked for.
package struct VideoReceiver: Machine, Sendable {
    package enum Event: Hashable, Sendable {
        case frame(ReceivedVideoFrame)
        /// Generic NACK (RFC 4585, section 6.2.1).
        case missing([SequenceNumber])
        /// Picture loss indication (RFC 4585, section 6.3.1).
        case keyFrameNeeded
        /// Full intra request (RFC 5104, section 4.3.1) with the number of its command.
        case keyFrameDemanded(UInt8)
    }

    /// What a sender is known to do, whether anything of it comes or not.
    package enum Expectation: Hashable, Sendable {
        /// It sends nothing, or nothing is wanted of it.
        case nothing
        /// It sends when there is something new, as a screen does, of which nothing comes while it stands still. That
        /// something is missing then only shows in what it has sent since the last picture.
        case whatComes
        /// It sends all the time, as a camera does.
        case motion
    }

    package struct Configuration: Hashable, Sendable {
        /// The payload types that may come.
        package var codecs: [PayloadType: VideoCodec]
        /// The payload types of repetitions, each with that of the originals (`apt`).
        package var retransmissions: [PayloadType: PayloadType] = [:]
        /// Whether the peer repeats packets: `a=rtcp-fb nack`.
        package var usesNACK = true
        /// Whether key frames are demanded by FIR: the peer takes it, and no PLI.
        package var usesFIR = false

        package init(codecs: [PayloadType: VideoCodec]) {
            self.codecs = codecs
        }
    }

    /// A frame is handed out so long before it is shown.
    static let decodingTime = Duration.milliseconds(15)
    /// Packets in a row that are too old before the sender is taken to have begun anew.
    static let maximumStaleCount = 100
    /// Frames that wait for their time or for others.
    static let maximumFrameCount = 128

    package let configuration: Configuration
    /// The last round trip; `nil`: not known.
    package var roundTrip: Duration?
    package internal(set) var counters = VideoReceiverCounters()

    var ssrc: SSRC?
    /// What comes; `nil`: nothing has yet.
    package internal(set) var codec: VideoCodec?
    var packets = VideoPacketBuffer()
    /// Whole frames by the order of their packets.
    var frames: [AssembledFrame] = []
    var frameByteCount = 0
    var dependencies = FrameDependencies()
    var nacks = NackTracker()
    var demand = KeyFrameDemand()
    var timing = VideoTiming()
    var sequences = Unwrapper<UInt16>()
    var staleCount = 0
    /// Since when something is here of which nothing can be decoded.
    var waitBegan: MonoTime?
    var lastRenderTime = MonoTime.zero
    /// How many packets the sender said that it had sent, and the newest one that had come by then.
    var reported: (sent: UInt32, newest: Int64)?

    package init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    package mutating func receive(_ datagram: RawSpan, at now: MonoTime, into out: inout Outbox<Event>) {
        guard let packet = try? RTPPacket(parsing: datagram) else {
            counters.malformedPacketCount += 1
            return
        }
        take(packet, of: datagram, at: now)
        tick(at: now, into: &out)
    }

    package mutating func tick(at now: MonoTime, into out: inout Outbox<Event>) {
        release(at: now, into: &out)
        watchForStall(at: now)
        if configuration.usesNACK {
            let missing = nacks.take(roundTrip: roundTrip, at: now)
            if !missing.isEmpty {
                counters.nackCount += 1
                out.emit(.missing(missing))
            }
        }
        if demand.take(at: now) {
            if configuration.usesFIR {
                counters.firCount += 1
                out.emit(.keyFrameDemanded(demand.command))
            } else {
                counters.pliCount += 1
                out.emit(.keyFrameNeeded)
            }
        }
    }

    package var deadline: MonoTime? {
        var deadline = earlier(nextRelease, demand.deadline)
        if configuration.usesNACK { deadline = earlier(deadline, nacks.deadline(roundTrip: roundTrip)) }
        return earlier(deadline, waitBegan.map { $0 + stallLimit })
    }

    /// The decoder could not decode a frame: only a key frame helps.
    package mutating func decodingFailed(at now: MonoTime) {
        counters.decodingFailureCount += 1
        giveUp(at: now)
    }

    /// The number of the last command to send a key frame: one for each pair of SSRCs, whatever else changes (RFC 5104,
    /// section 4.3.1.1).
    package var command: UInt8 {
        get { demand.command }
        set { demand.command = newValue }
    }

    /// Says what the sender is to be expected to do from now on.
    package mutating func expect(_ expectation: Expectation, at now: MonoTime) {
        demand.expect(expectation, at: now)
    }

    /// Takes a sender report of the stream, which tells when more has been sent than the newest packet that came.
    package mutating func receive(_ report: SenderReport, at now: MonoTime) {
        guard report.sender == ssrc, let newest = nacks.newest else { return }
        if let reported, Int64(report.packetCount &- reported.sent) > newest - reported.newest {
            demand.isSent(at: now)
        }
        reported = (report.packetCount, newest)
    }

    /// Delay that is added for the sound's sake; see `StreamSynchronizer`.
    package var syncDelay: Duration {
        get { timing.syncDelay }
        set { timing.syncDelay = newValue.clamped(to: .zero ... .seconds(10)) }
    }

    /// Delay behind the fastest frames that is in use against jitter.
    package var jitterDelay: Duration {
        timing.target
    }

    /// For so long losses are left to repetitions before a key frame is asked for.
    private var stallLimit: Duration {
        configuration.usesNACK ? .seconds(1) : KeyFrameDemand.interval
    }

    private mutating func watchForStall(at now: MonoTime) {
        let isWaiting =
            (!nacks.isEmpty || !packets.isEmpty || !frames.isEmpty) && !frames.contains(where: dependencies.canDecode)
        guard isWaiting else {
            waitBegan = nil
            return
        }
        guard let began = waitBegan, now - began >= stallLimit else {
            waitBegan = waitBegan ?? now
            return
        }
        waitBegan = now
        demand.want(at: now)
    }
}

extension VideoReceiver {
    /// What waits: packets of unfinished frames, whole frames, and the bytes of both.
    package var bufferedPacketCount: Int { packets.count }
    package var bufferedFrameCount: Int { frames.count }
    package var bufferedByteCount: Int { packets.byteCount + frameByteCount }
}
