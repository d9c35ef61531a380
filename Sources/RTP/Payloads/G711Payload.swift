/// G.711 carries one sample a byte (RFC 3551, section 4.5.14).
package enum G711Payload {
    /// Ticks of the 8 kHz RTP clock in a payload of `byteCount` bytes.
    package static func ticks(byteCount: Int) -> Int32 {
        Int32(clamping: byteCount)
    }
}
