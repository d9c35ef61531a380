package import Primitives

/// Where a sent stream's numbers begin. All three are drawn at random (RFC 3550, section 5.1), which makes attacks on
/// the encryption by known plaintext harder and lets a restarted program be told from the one before.
package struct StreamOrigin: Hashable, Sendable {
    package var ssrc: SSRC
    package var sequenceNumber: SequenceNumber
    package var timestamp: UInt32

    package init(ssrc: SSRC, sequenceNumber: SequenceNumber, timestamp: UInt32) {
        self.ssrc = ssrc
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
    }

    /// The sequence number begins in the lower half, so that a loss at the start cannot hide a wrap from SRTP
    /// (RFC 3711, section 3.3.1).
    package init(using random: inout some RandomNumberGenerator) {
        ssrc = SSRC(.random(in: 1...UInt32.max, using: &random))
        sequenceNumber = SequenceNumber(.random(in: 0..<0x8000, using: &random))
        timestamp = .random(in: 0...UInt32.max, using: &random)
    }
}
