package import Primitives

/// What is remembered of one packet that left.
package struct SentPacket: Hashable, Sendable, BitwiseCopyable {
    /// Its transport-wide number with the wraps undone.
    package var number: Int64
    package var sent: MonoTime
    /// Bytes on the wire, the headers of all layers included.
    package var byteCount: Int
    /// The probe that it belongs to.
    package var probe: ProbeCluster.ID?
    package var isAudio = false
}

/// What feedback tells of one sent packet.
package struct PacketResult: Hashable, Sendable, BitwiseCopyable {
    package var packet: SentPacket
    /// On the receiver's clock, from any fixed origin; `nil`: it had not arrived when the feedback was made.
    package var arrival: MonoTime?
}
