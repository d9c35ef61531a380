import Primitives

/// A greedy TCP flow as Reno has it: slow start, congestion avoidance, half the window after a loss that later
/// acknowledgements betray, one segment after a timeout.
struct RenoFlow {
    static let segmentByteCount = 1500
    private static let timeout = Duration.seconds(1)

    private(set) var acknowledgedCount = 0
    private var window = 10.0
    private var threshold = Double.infinity
    private var inFlight: [(number: Int, passed: Int)] = []
    private var nextNumber = 0
    private var recoverUntil = 0
    private var lastAcknowledged = MonoTime.zero

    /// The segments that the window allows to leave now.
    mutating func takeSegments(at now: MonoTime) -> Range<Int> {
        if inFlight.isEmpty { lastAcknowledged = now }
        let count = max(Int(window) - inFlight.count, 0)
        let numbers = nextNumber..<nextNumber + count
        inFlight += numbers.map { ($0, 0) }
        nextNumber += count
        return numbers
    }

    mutating func acknowledge(_ number: Int, at now: MonoTime) {
        lastAcknowledged = now
        acknowledgedCount += 1
        window += window < threshold ? 1 : 1 / window
        var lost = 0
        for index in inFlight.indices where inFlight[index].number < number {
            inFlight[index].passed += 1
            if inFlight[index].passed >= 3 { lost = max(lost, inFlight[index].number + 1) }
        }
        inFlight.removeAll { $0.number == number || $0.passed >= 3 }
        guard lost > recoverUntil else { return }
        threshold = max(window / 2, 2)
        window = threshold
        recoverUntil = nextNumber
    }

    var deadline: MonoTime? {
        inFlight.isEmpty ? nil : lastAcknowledged + Self.timeout
    }

    mutating func tick(at now: MonoTime) {
        guard let deadline, deadline <= now else { return }
        threshold = max(window / 2, 2)
        window = 1
        inFlight.removeAll()
        recoverUntil = nextNumber
        lastAcknowledged = now
    }
}
