package import Primitives
package import RTP

// Against RFC 3550, duplicates do not count as received: there they may hide losses, here the count is shown to people
// who look for a bad link. Probation (appendix A.1) is off by default, since SRTP has authenticated the source.

/// One stream that a peer sends: judges each packet's number, and measures loss, order and jitter (RFC 3550, A.1, A.3
/// and A.8).
package struct RTPReceiveStream: Sendable {
    /// What became of one packet.
    package enum Reception: Hashable, Sendable {
        /// It belongs to the stream; its sequence number with the wraps undone.
        case accepted(sequence: Int64)
        /// It is the first of a new source or of one that started anew: what is buffered no longer counts.
        case restarted(sequence: Int64)
        case dropped(Drop)
    }

    package enum Drop: Hashable, Sendable {
        /// The source is new and has not yet sent enough in order.
        case probation
        case duplicate
        /// The number is far from the last one; the next one in order confirms it.
        case implausible
        /// It is of the source before this one.
        case formerSource
    }

    /// The greatest step forward that is taken for loss.
    private static let maximumDropout = 3000
    /// The greatest step backward that is taken for reordering; `ReceivedSequences` covers it.
    private static let maximumMisorder = 100
    /// For how long packets of the former source are taken for stragglers.
    private static let stragglerPeriod = Duration.seconds(2)

    /// The RTP clock of the payloads. Set it when the payload type changes; jitter begins anew.
    package var clockRateHz: Int32 {
        didSet { jitter.reset() }
    }
    /// The source that is heard; `nil`: none yet.
    package private(set) var ssrc: SSRC?
    /// Everything counted since the stream began, all its sources together.
    package private(set) var counters = ReceptionCounters()
    /// When the last packet came that belongs to the stream.
    package private(set) var lastReceived: MonoTime?
    /// The newest sender report of the source.
    package private(set) var lastSenderReport: SenderReport?

    private let probationCount: Int
    private var probationLeft = 0
    private var sequences = ReceivedSequences()
    private var jitter = JitterEstimator()
    /// What would confirm a jump.
    private var suspectedNext: SequenceNumber?
    private var former: (ssrc: SSRC, until: MonoTime)?
    private var expectedAtReport: Int64 = 0
    private var receivedAtReport: Int64 = 0
    private var senderReportArrival: MonoTime?

    /// `probationCount` packets in order make a new source valid; 0: the first one does.
    package init(clockRateHz: Int32, probationCount: Int = 0) {
        self.clockRateHz = clockRateHz
        self.probationCount = probationCount
    }

    /// Takes the packet with `header`.
    package mutating func receive(_ header: RTPHeader, payloadByteCount: Int, at now: MonoTime) -> Reception {
        let reception = judge(header, at: now)
        switch reception {
        case .accepted, .restarted:
            lastReceived = now
            counters.receivedCount += 1
            counters.payloadByteCount += Int64(payloadByteCount)
            jitter.update(timestamp: header.timestamp, rateHz: clockRateHz, at: now)
            settleCounters()
        case .dropped(.duplicate):
            lastReceived = now
            counters.duplicateCount += 1
        case .dropped:
            counters.refusedCount += 1
        }
        return reception
    }

    /// The interarrival jitter (A.8).
    package var jitterDuration: Duration {
        .fractional(seconds: jitter.ticks / Double(max(clockRateHz, 1)))
    }

    /// Takes a sender report of the source.
    package mutating func receive(_ report: SenderReport, at now: MonoTime) {
        guard report.sender == ssrc else { return }
        lastSenderReport = report
        senderReportArrival = now
    }

    /// The report on the source since the last call (A.3); `nil`: there is no valid source.
    package mutating func makeReportBlock(at now: MonoTime) -> ReportBlock? {
        guard let ssrc, sequences.isStarted else { return nil }
        let expected = sequences.expectedCount - expectedAtReport
        let lost = expected - (sequences.receivedCount - receivedAtReport)
        expectedAtReport = sequences.expectedCount
        receivedAtReport = sequences.receivedCount
        let fraction = expected > 0 && lost > 0 ? UInt8(clamping: lost * 256 / expected) : 0
        let delay = senderReportArrival.map { UInt32(clamping: (now - $0).rtpTicks(rateHz: 65_536)) } ?? 0
        return ReportBlock(
            source: ssrc, fractionLost: fraction, cumulativeLost: Int32(clamping: sequences.lostCount),
            highestSequence: UInt32(truncatingIfNeeded: sequences.highest),
            jitter: UInt32(clamping: Int64(jitter.ticks)),
            lastSenderReport: lastSenderReport?.ntp.middle ?? 0, delaySinceLastSenderReport: delay)
    }
}

extension RTPReceiveStream {
    private mutating func judge(_ header: RTPHeader, at now: MonoTime) -> Reception {
        guard header.ssrc == ssrc else { return judgeForeign(header, at: now) }
        guard sequences.isStarted else { return judgeOnProbation(header.sequenceNumber) }
        let step = header.sequenceNumber.distance(from: SequenceNumber(UInt16(truncatingIfNeeded: sequences.highest)))
        guard step < Self.maximumDropout, step >= -Self.maximumMisorder else { return judgeJump(header.sequenceNumber) }
        suspectedNext = nil
        guard sequences.insert(step: step) else { return .dropped(.duplicate) }
        if step < 0 {
            counters.reorderedCount += 1
        }
        return .accepted(sequence: sequences.highest + Int64(min(step, 0)))
    }

    private mutating func judgeForeign(_ header: RTPHeader, at now: MonoTime) -> Reception {
        if let former, header.ssrc == former.ssrc, now < former.until {
            return .dropped(.formerSource)
        }
        former = ssrc.map { ($0, now + Self.stragglerPeriod) }
        leaveSource()
        ssrc = header.ssrc
        probationLeft = probationCount
        return judgeOnProbation(header.sequenceNumber)
    }

    private mutating func judgeOnProbation(_ number: SequenceNumber) -> Reception {
        guard probationLeft > 0 else { return start(number) }
        probationLeft = suspectedNext == number ? probationLeft - 1 : probationCount - 1
        suspectedNext = number + 1
        return probationLeft == 0 ? start(number) : .dropped(.probation)
    }

    private mutating func judgeJump(_ number: SequenceNumber) -> Reception {
        guard suspectedNext == number else {
            suspectedNext = number + 1
            return .dropped(.implausible)
        }
        leaveSource()
        return start(number)
    }

    private mutating func start(_ number: SequenceNumber) -> Reception {
        sequences.start(at: number)
        suspectedNext = nil
        return .restarted(sequence: Int64(number.rawValue))
    }

    /// Forgets the numbers of the source heard so far; what was counted stays.
    private mutating func leaveSource() {
        counters.leaveSource(sequences)
        sequences = ReceivedSequences()
        jitter.reset()
        suspectedNext = nil
        expectedAtReport = 0
        receivedAtReport = 0
        lastSenderReport = nil
        senderReportArrival = nil
    }

    private mutating func settleCounters() {
        counters.update(from: sequences)
    }
}
