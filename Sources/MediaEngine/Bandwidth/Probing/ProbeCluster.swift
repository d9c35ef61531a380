import Primitives

/// A short run of packets sent faster than the estimate, to learn whether the path carries more.
package struct ProbeCluster: Hashable, Sendable, BitwiseCopyable {
    package struct ID: Hashable, Sendable, BitwiseCopyable {
        var rawValue: Int
    }

    /// How long a run is at least.
    private static let duration = 0.015
    package static let minimumPacketCount = 5

    package let id: ID
    /// Bits a second.
    package let bitrate: Double

    /// Bytes that a run has at least.
    package var minimumByteCount: Int {
        Int(bitrate * Self.duration / 8)
    }

    /// What padding a run is filled up with, a packet.
    package var paddingByteCount: Int {
        (minimumByteCount / Self.minimumPacketCount).clamped(to: 200...1200)
    }
}
