/// When packets arrived against when they were sent: the delay of each relative to the fastest of the last 2 s.
///
/// A packet's offset is its arrival minus its media time, both in samples. The least offset of the window stands for
/// an unhindered passage, so a constant network delay and the difference of both clocks cancel, and a drift of the
/// clocks is forgotten with the window.
struct ArrivalHistory: Sendable {
    private static let blockCount = 20
    /// 100 ms.
    private static let blockSampleCount = 4800
    /// Offsets further apart than this (5 s) belong to different streams.
    private static let discontinuity = 240_000

    private var minima = [Int](repeating: .max, count: ArrivalHistory.blockCount)
    private var currentBlock = Int.min
    /// The least offset in the window; `nil` before the first packet.
    private(set) var fastestOffset: Int?

    /// Takes a packet sent at `mediaTime` and arrived at `arrival`, both in samples. Returns its delay relative to the
    /// fastest packet of the window, this one included.
    mutating func record(arrival: Int, mediaTime: Int) -> Int {
        let offset = arrival &- mediaTime
        if let fastestOffset, (offset &- fastestOffset).magnitude > Self.discontinuity.magnitude { reset() }
        advance(to: arrival / Self.blockSampleCount)
        let slot = index(of: currentBlock)
        minima[slot] = min(minima[slot], offset)
        var fastest = offset
        for index in minima.indices { fastest = min(fastest, minima[index]) }
        fastestOffset = fastest
        return offset &- fastest
    }

    /// Forgets all packets: the next one is the fastest.
    mutating func reset() {
        for index in minima.indices { minima[index] = .max }
        currentBlock = .min
        fastestOffset = nil
    }

    private func index(of block: Int) -> Int {
        let rest = block % Self.blockCount
        return rest < 0 ? rest + Self.blockCount : rest
    }

    /// Empties the blocks between the last arrival and `block`. An arrival before the last one joins its block.
    private mutating func advance(to block: Int) {
        guard currentBlock != .min else {
            currentBlock = block
            return
        }
        guard block > currentBlock else { return }
        let steps = min(block &- currentBlock, Self.blockCount)
        for step in 0..<steps { minima[index(of: block &- step)] = .max }
        currentBlock = block
    }
}
