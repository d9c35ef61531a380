/// What the transport of a call needs to know of both sides.
package struct TransportParameters: Equatable, Sendable {
    /// Ours from now on; differ from those before after an ICE restart.
    package var local: ICEParameters
    package var remote: ICEParameters
    /// Our ICE role; it never changes during a call.
    package var isControlling: Bool
    /// The peer only answers checks (RFC 8445, section 2.5).
    package var isRemoteLite: Bool
    /// Hashes of the peer's certificate: one of them must match it, or the call is not with that peer.
    package var fingerprints: [Fingerprint]
    /// Whether we send the first flight of the DTLS handshake: `a=setup:active` was ours.
    package var isDTLSClient: Bool
    /// The credentials changed: gather and check anew while media go on over the old path (RFC 8445, section 9). Where
    /// `local` changed too, candidates gathered from now on belong to the new generation, and none from before do.
    package var isRestart: Bool
}
