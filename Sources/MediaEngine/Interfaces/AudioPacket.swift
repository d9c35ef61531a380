package import Primitives

/// One received audio packet on its way to the audio thread; its payload travels beside it.
package struct AudioPacket: Sendable, BitwiseCopyable {
    /// Which participant's stream it belongs to: the index that the pipeline gave out.
    package var stream: Int32
    package var payloadType: UInt8
    package var marker: Bool
    package var sequenceNumber: UInt16
    package var ssrc: UInt32
    /// RTP timestamp, in units of the payload's RTP clock (48 kHz for Opus, 8 kHz for G.711).
    package var timestamp: UInt32
    /// RFC 6464 level in −dBov, 0…127; 255: the packet carried none.
    package var level: UInt8
    /// When it arrived at the socket.
    package var arrival: MonoTime
    /// Whether it is a copy that a later packet carried (RFC 2198), handed in after that one.
    package var isCopy: Bool

    package init(
        stream: Int32, payloadType: UInt8, marker: Bool, sequenceNumber: UInt16, ssrc: UInt32, timestamp: UInt32,
        level: UInt8, arrival: MonoTime, isCopy: Bool = false
    ) {
        self.stream = stream
        self.payloadType = payloadType
        self.marker = marker
        self.sequenceNumber = sequenceNumber
        self.ssrc = ssrc
        self.timestamp = timestamp
        self.level = level
        self.arrival = arrival
        self.isCopy = isCopy
    }
}
