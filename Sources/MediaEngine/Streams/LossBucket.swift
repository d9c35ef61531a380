/// What was expected of a stream during some time, and what of it did not reach the ear.
package struct LossBucket: Hashable, Sendable {
    /// Packets that should have come.
    package var expected: Int64 = 0
    /// Packets that did not. Negative when more came late than were lost.
    package var lost: Int64 = 0
    /// Packets that came too late to be played.
    package var late: Int64 = 0
    /// Runs in which packets were lost, and the packets of those runs.
    package var lossRuns: Int64 = 0
    package var lostInRuns: Int64 = 0
    /// Samples played, and those among them that were made up.
    package var playedSamples: Int64 = 0
    package var concealedSamples: Int64 = 0

    package init() {}

    /// What `later` counted more than `earlier`.
    package init(from earlier: ReceptionCounters, to later: ReceptionCounters) {
        expected = later.expectedCount - earlier.expectedCount
        lost = later.lostCount - earlier.lostCount
        lossRuns = later.lossRunCount - earlier.lossRunCount
        lostInRuns = later.lostInRunsCount - earlier.lostInRunsCount
    }

    /// What a peer's report says of one of this side's streams.
    package init(_ reception: RemoteReception) {
        expected = reception.expectedSinceReport
        lost = reception.lostSinceReport
    }

    /// The runs of audio packets that were lost, of which each is told whole with the packet that ends it.
    package init(runsOfAudioIn results: [PacketResult]) {
        var wasLost = false
        for result in results where result.packet.isAudio {
            let isLost = result.arrival == nil
            lostInRuns += isLost ? 1 : 0
            lossRuns += isLost && !wasLost ? 1 : 0
            wasLost = isLost
        }
    }

    package static func += (left: inout LossBucket, right: LossBucket) {
        left.expected += right.expected
        left.lost += right.lost
        left.late += right.late
        left.lossRuns += right.lossRuns
        left.lostInRuns += right.lostInRuns
        left.playedSamples += right.playedSamples
        left.concealedSamples += right.concealedSamples
    }

    /// The share of packets lost, 0…1; `nil`: none was expected.
    package var lossRatio: Double? {
        ratio(lost, of: expected)
    }

    /// The share of packets that came too late, 0…1; `nil`: none was expected.
    package var lateRatio: Double? {
        ratio(late, of: expected)
    }

    /// The share of the sound that was made up, 0…1; `nil`: nothing was played.
    package var concealedRatio: Double? {
        ratio(concealedSamples, of: playedSamples)
    }

    /// How many packets were lost in a row on average; `nil`: no run has ended.
    package var meanBurst: Double? {
        lossRuns > 0 ? max(1, Double(lostInRuns) / Double(lossRuns)) : nil
    }

    private func ratio(_ part: Int64, of whole: Int64) -> Double? {
        whole > 0 ? min(max(Double(part) / Double(whole), 0), 1) : nil
    }
}
