internal import Primitives
internal import RTP

/// Which packets of a stream are missing, and when to ask for them: at once, and again once in a round trip, as long as
/// it may help.
struct NackTracker: Sendable {
    static let maximumMissingCount = 1000
    private static let maximumTries = 100
    /// Before the round trip is known.
    private static let defaultRoundTrip = Duration.milliseconds(100)
    /// Answers that are late by less are not asked for twice.
    private static let tolerance = Duration.milliseconds(5)

    private struct Missing: Sendable {
        var sequence: Int64
        var tries = 0
        var lastAsked: MonoTime?
    }

    /// The newest number that came.
    private(set) var newest: Int64?
    /// Numbers asked for, repetitions included.
    private(set) var askedCount: UInt64 = 0
    private var missing: [Missing] = []
    /// Numbers that were given up; they may come yet.
    private var abandoned: Set<Int64> = []
    private static let maximumAbandonedCount = 512

    /// Takes the number of a packet that came. `false`: so many are missing that only a key frame helps; they are
    /// forgotten.
    mutating func receive(_ sequence: Int64) -> Bool {
        guard let last = newest, sequence > last else {
            newest = newest ?? sequence
            if let index = index(of: sequence) { missing.remove(at: index) }
            return true
        }
        newest = sequence
        guard missing.count + Int(clamping: sequence - last - 1) <= Self.maximumMissingCount else {
            missing.removeAll()
            return false
        }
        for lost in last + 1..<sequence {
            missing.append(Missing(sequence: lost))
        }
        return true
    }

    /// The packets up to `sequence` are of no use any more.
    mutating func forget(through sequence: Int64) {
        for item in missing where item.sequence <= sequence && abandoned.count < Self.maximumAbandonedCount {
            abandoned.insert(item.sequence)
        }
        missing.removeAll { $0.sequence <= sequence }
        guard let newest else { return }
        abandoned = abandoned.filter { newest - $0 < Int64(Self.maximumAbandonedCount) }
    }

    /// Whether `sequence`, which comes now, had been given up.
    mutating func takeAbandoned(_ sequence: Int64) -> Bool {
        abandoned.remove(sequence) != nil
    }

    mutating func reset() {
        missing.removeAll()
        abandoned.removeAll()
        newest = nil
    }

    var isEmpty: Bool {
        missing.isEmpty
    }

    /// When the next ones are to be asked for; `nil`: none is missing.
    func deadline(roundTrip: Duration?) -> MonoTime? {
        missing.reduce(nil as MonoTime?) { earlier($0, due($1, roundTrip)) }
    }

    /// What to ask for now.
    mutating func take(roundTrip: Duration?, at now: MonoTime) -> [SequenceNumber] {
        var asked: [SequenceNumber] = []
        for index in missing.indices where due(missing[index], roundTrip) <= now {
            missing[index].tries += 1
            missing[index].lastAsked = now
            asked.append(SequenceNumber(UInt16(truncatingIfNeeded: missing[index].sequence)))
        }
        missing.removeAll { $0.tries >= Self.maximumTries }
        askedCount += UInt64(asked.count)
        return asked
    }

    private func due(_ item: Missing, _ roundTrip: Duration?) -> MonoTime {
        guard let asked = item.lastAsked else { return .zero }
        return asked + max(roundTrip ?? Self.defaultRoundTrip, Self.tolerance) + Self.tolerance
    }

    private func index(of sequence: Int64) -> Int? {
        missing.firstIndex { $0.sequence == sequence }
    }
}
