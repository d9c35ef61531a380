package import Primitives
package import RTP

/// The receiver's side of transport-wide congestion control: notes when packets arrive and tells the sender, every 50 to
/// 250 ms, so that the feedback takes about a twentieth of what is received.
package struct TransportFeedbackRecorder: Sendable {
    /// How often feedback is made.
    package static let intervals = Duration.milliseconds(50)...Duration.milliseconds(250)
    /// The share of the received bitrate that feedback may take.
    private static let share = 0.05
    /// What one feedback takes on the wire.
    private static let feedbackBits = 68.0 * 8
    /// More arrivals go into a further feedback, so that none exceeds a packet.
    private static let maximumArrivalCount = 400

    private let sender: SSRC
    private var media: SSRC
    private var unwrapper = Unwrapper<UInt16>()
    /// In order of the number; none was told of yet.
    private var pending: [(number: Int64, arrival: MonoTime)] = []
    private var nextNumber: Int64?
    private var feedbackNumber: UInt8 = 0
    private var receivedBits = 0.0
    private var lastFeedback: MonoTime?
    private var interval = intervals.lowerBound

    /// `sender` is who reports.
    package init(sender: SSRC) {
        self.sender = sender
        media = SSRC(0)
    }

    /// Takes the arrival of a packet of `media` that carries `number`.
    package mutating func receive(_ number: SequenceNumber, of media: SSRC, byteCount: Int, at now: MonoTime) {
        self.media = media
        receivedBits += Double(byteCount * 8)
        lastFeedback = lastFeedback ?? now
        let extended = unwrapper.unwrap(number.rawValue)
        let place = pending.lastIndex { $0.number <= extended }
        guard place.map({ pending[$0].number != extended }) ?? true else { return }
        pending.insert((extended, now), at: place.map { $0 + 1 } ?? 0)
    }

    /// When feedback is due; `nil`: there is nothing to tell.
    package var deadline: MonoTime? {
        guard let lastFeedback, !pending.isEmpty else { return nil }
        return pending.count >= Self.maximumArrivalCount ? lastFeedback : lastFeedback + interval
    }

    /// The feedback that is due at `now`, the earlier packets first.
    package mutating func makeFeedback(at now: MonoTime) -> [TransportFeedback] {
        guard let due = deadline, due <= now, let lastFeedback else { return [] }
        let rate = receivedBits / max((now - lastFeedback).seconds, 1e-3)
        interval = Duration.fractional(seconds: Self.feedbackBits / (Self.share * max(rate, 1))).clamped(
            to: Self.intervals)
        self.lastFeedback = now
        receivedBits = 0
        var made: [TransportFeedback] = []
        var rest = pending[...]
        while !rest.isEmpty {
            made.append(takeFeedback(from: &rest))
        }
        pending.removeAll(keepingCapacity: true)
        return made
    }

    /// One feedback on the front of `rest`: as many arrivals as fit and have a time that fits.
    private mutating func takeFeedback(from rest: inout ArraySlice<(number: Int64, arrival: MonoTime)>)
        -> TransportFeedback
    {
        let first = rest[rest.startIndex]
        // Late packets are told of from themselves on, others from where the last feedback ended.
        let gap = first.number - (nextNumber ?? first.number)
        let base = gap > 0 && gap < 0x4000 ? first.number - gap : first.number
        let unit = TransportFeedback.deltaUnit.nanoseconds
        let reference = first.arrival.nanoseconds / unit / Int64(TransportFeedback.referenceUnit)
        var told = reference * Int64(TransportFeedback.referenceUnit)
        var arrivals: [TransportFeedback.Arrival] = []
        while let next = rest.first, arrivals.count < Self.maximumArrivalCount, next.number - base < 0x7FFF {
            let ticks = next.arrival.nanoseconds / unit
            guard let delta = Int16(exactly: ticks - told) else { break }
            told = ticks
            arrivals.append(.init(offset: UInt16(next.number - base), delta: delta))
            rest.removeFirst()
        }
        let end = base + Int64(arrivals.last?.offset ?? 0) + 1
        nextNumber = max(nextNumber ?? end, end)
        defer { feedbackNumber &+= 1 }
        return TransportFeedback(
            sender: sender, media: media, base: SequenceNumber(UInt16(truncatingIfNeeded: base)),
            packetCount: Int(end - base), referenceTime: Int32(truncatingIfNeeded: reference), number: feedbackNumber,
            arrivals: arrivals)
    }
}
