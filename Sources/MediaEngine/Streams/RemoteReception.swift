package import Primitives
import RTP

/// What a peer tells of a stream that it receives from this side.
package struct RemoteReception: Hashable, Sendable {
    /// Lost since the report before, 0…1.
    package private(set) var fractionLost = 0.0
    /// Lost since the peer began to count.
    package private(set) var packetsLost: Int32 = 0
    package private(set) var jitter = Duration.zero
    /// Packets that should have come, and those that did not, since the report before; lost may be negative when late
    /// ones came.
    package private(set) var expectedSinceReport: Int64 = 0
    package private(set) var lostSinceReport: Int64 = 0
    /// When the report came; `nil`: none yet.
    package private(set) var lastReport: MonoTime?

    private var highestSequence: UInt32
    private var cumulativeLost: Int32 = 0

    /// `first` is the stream's first sequence number: the peer's first report counts from there.
    init(first: SequenceNumber) {
        highestSequence = UInt32(first.rawValue) &- 1
    }

    mutating func apply(_ block: ReportBlock, clockRateHz: Int32, at now: MonoTime) {
        let expected = Int64(Int32(bitPattern: block.highestSequence &- highestSequence))
        // A count that falls back is that of a peer which began anew.
        let isContinuous = (0..<0x10000).contains(expected)
        expectedSinceReport = isContinuous ? expected : 0
        lostSinceReport = isContinuous ? Int64(block.cumulativeLost) - Int64(cumulativeLost) : 0
        highestSequence = block.highestSequence
        cumulativeLost = block.cumulativeLost
        packetsLost = block.cumulativeLost
        fractionLost = Double(block.fractionLost) / 256
        jitter = .fractional(seconds: Double(block.jitter) / Double(max(clockRateHz, 1)))
        lastReport = now
    }
}
