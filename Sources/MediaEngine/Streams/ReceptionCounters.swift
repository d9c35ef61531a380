/// What a receive stream has counted since it began. Every member only grows, but for `lostCount`, which falls when a
/// packet comes after a later one.
package struct ReceptionCounters: Hashable, Sendable {
    /// Packets from the first to the highest number.
    package internal(set) var expectedCount: Int64 = 0
    /// Packets that came, each once.
    package internal(set) var receivedCount: Int64 = 0
    /// Expected packets that have not come.
    package internal(set) var lostCount: Int64 = 0
    package internal(set) var duplicateCount: Int64 = 0
    /// Packets that came after a later one.
    package internal(set) var reorderedCount: Int64 = 0
    /// Packets that do not belong to the stream.
    package internal(set) var refusedCount: Int64 = 0
    package internal(set) var payloadByteCount: Int64 = 0
    /// Runs of losses, and the packets lost in them. They settle 64 packets after the loss.
    package internal(set) var lossRunCount: Int64 = 0
    package internal(set) var lostInRunsCount: Int64 = 0

    /// Times the source changed or began anew.
    package internal(set) var restartCount: Int64 = 0

    private var formerExpected: Int64 = 0
    private var formerLost: Int64 = 0
    private var formerRuns = LossRuns()

    package init() {}

    mutating func update(from sequences: ReceivedSequences) {
        expectedCount = formerExpected + sequences.expectedCount
        lostCount = formerLost + sequences.lostCount
        lossRunCount = formerRuns.runCount + sequences.runs.runCount
        lostInRunsCount = formerRuns.lostCount + sequences.runs.lostCount
    }

    /// Closes the account of a source that is heard no more.
    mutating func leaveSource(_ sequences: ReceivedSequences) {
        guard sequences.isStarted else { return }
        update(from: sequences)
        formerExpected = expectedCount
        formerLost = lostCount
        formerRuns.runCount = lossRunCount
        formerRuns.lostCount = lostInRunsCount
        restartCount += 1
    }
}
