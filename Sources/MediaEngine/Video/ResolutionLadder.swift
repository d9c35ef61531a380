package import Primitives

/// How large pictures are sent for a bitrate: smaller at once when it falls, larger when it has been enough for a while.
package struct ResolutionLadder: Hashable, Sendable {
    /// Heights from the largest down, each with the bits a second that it needs.
    static let steps: [(height: Int, bitrate: Double)] = [
        (480, 450_000), (360, 250_000), (240, 120_000), (VideoLayer.lowSize.height, 0),
    ]
    /// What a larger size needs beyond its own, and for how long.
    private static let margin = 1.2
    private static let patience = Duration.seconds(3)

    /// The height that pictures are sent in at the most.
    package private(set) var height: Int
    /// Since when the next larger size could be paid.
    private var couldGrowSince: MonoTime?

    /// - Parameter bitrate: bits a second at first.
    package init(bitrate: Double) {
        height = Self.affordable(bitrate)
    }

    /// Takes the bits a second that pictures may cost now. Returns whether the height has changed.
    package mutating func update(bitrate: Double, at now: MonoTime) -> Bool {
        let before = height
        let affordable = Self.affordable(bitrate)
        if affordable <= height {
            height = affordable
            couldGrowSince = nil
        }
        if Self.affordable(bitrate / Self.margin) > height {
            if let since = couldGrowSince, now - since >= Self.patience {
                height = Self.steps.last { $0.height > height }?.height ?? height
                couldGrowSince = nil
            } else if couldGrowSince == nil {
                couldGrowSince = now
            }
        } else {
            couldGrowSince = nil
        }
        return height != before
    }

    /// A size no higher than this step.
    package func fit(_ size: VideoSize) -> VideoSize {
        Self.fit(size, below: height)
    }

    /// `size` no higher than `height`, its shape kept, its sides even.
    package static func fit(_ size: VideoSize, below height: Int) -> VideoSize {
        guard size.height > height, size.height > 0 else { return size }
        return VideoSize(width: max(2, size.width * height / size.height / 2 * 2), height: height)
    }

    private static func affordable(_ bitrate: Double) -> Int {
        steps.first { $0.bitrate <= bitrate }?.height ?? VideoLayer.lowSize.height
    }
}
