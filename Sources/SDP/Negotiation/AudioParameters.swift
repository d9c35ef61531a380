package import Primitives

/// What was agreed on about audio.
package struct AudioParameters: Equatable, Sendable {
    /// An encoding at its number.
    package struct Format: Hashable, Sendable {
        package var codec: NegotiatedCodec
        package var payloadType: PayloadType
    }

    package var mid: MID?
    /// What we may send and may receive.
    package var direction: MediaDirection
    /// The peer has put the call on hold: it does not want our media.
    package var isHeldByPeer: Bool
    /// What we send.
    package var sending: Format
    /// What the peer may send, any time.
    package var receiving: [Format]
    /// What the peer asks of our Opus encoder.
    package var opus: OpusParameters
    /// Where our packets with copies of earlier ones go; `nil`: the peer takes none, or we send no Opus.
    package var redundancy: PayloadType?
    /// Where the peer's come.
    package var receivedRedundancy: PayloadType?
    /// Where our telephone events go, at the clock rate of `sending`; `nil`: the peer takes none.
    package var telephoneEvents: PayloadType?
    /// Where the peer's telephone events come.
    package var receivedTelephoneEvents: [PayloadType]
    /// Identifier of the RFC 6464 level extension, 1…14; `nil`: not agreed on.
    package var audioLevelExtension: UInt8?
    /// Identifier of the `mid` extension (RFC 8843, section 15.2), 1…14; `nil`: not agreed on.
    package var midExtension: UInt8?
    /// Identifier of the transport-wide sequence number, 1…14; `nil`: not agreed on.
    package var transportSequenceExtension: UInt8?
    /// The length of packets that the peer wishes for, and the most that it takes (RFC 8866, sections 6.4 and 6.5), where
    /// it said so.
    package var packetTime: Duration?
    package var maximumPacketTime: Duration?
    package var isRTCPReducedSize: Bool
}
