import Primitives

/// Which of the last 128 sequence numbers of a source came, and how many were expected since it began.
struct ReceivedSequences: Sendable {
    /// After how many later packets a missing one is taken for lost rather than late.
    private static let settlingDepth = 64

    /// The highest number received, with the wraps undone.
    private(set) var highest: Int64 = 0
    /// Numbers received, each once.
    private(set) var receivedCount: Int64 = 0
    /// Runs of lost numbers that have ended or are still going on, and the numbers lost in them.
    private(set) var runs = LossRuns()
    private(set) var isStarted = false

    /// The lowest number received near the beginning.
    private var first: Int64 = 0
    /// Bit n: number `highest − n` came.
    private var seen: UInt128 = 0

    /// Begins at `number`, which came.
    mutating func start(at number: SequenceNumber) {
        self = ReceivedSequences()
        isStarted = true
        highest = Int64(number.rawValue)
        first = highest
        receivedCount = 1
        seen = 1
    }

    /// Numbers from the first to the highest.
    var expectedCount: Int64 {
        isStarted ? highest - first + 1 : 0
    }

    /// Expected numbers that have not come.
    var lostCount: Int64 {
        expectedCount - receivedCount
    }

    /// Takes the number `step` after the highest one. Returns `false` when it came before.
    mutating func insert(step: Int) -> Bool {
        if step > 0 {
            advance(by: step)
        } else {
            let bit: UInt128 = 1 << UInt128(min(-step, 127))
            guard seen & bit == 0 else { return false }
            seen |= bit
            first = min(first, highest + Int64(step))
        }
        receivedCount += 1
        return true
    }

    private mutating func advance(by step: Int) {
        for _ in 0..<step {
            seen <<= 1
            highest += 1
            if highest - Int64(Self.settlingDepth) >= first {
                runs.settle(isLost: seen >> UInt128(Self.settlingDepth) & 1 == 0)
            }
        }
        seen |= 1
    }
}

/// Lost packets in a row (the burstiness of loss, RFC 3611, section 4.7.2, by its simplest measure).
struct LossRuns: Hashable, Sendable {
    var runCount: Int64 = 0
    var lostCount: Int64 = 0
    private var isInRun = false

    mutating func settle(isLost: Bool) {
        if isLost {
            lostCount += 1
            runCount += isInRun ? 0 : 1
        }
        isInRun = isLost
    }
}
