/// Why a transport, or a part of it, could not be made or has failed.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// A certificate or key could not be made, read or written.
        case identity
        /// The peer's ICE credentials, fingerprint or role cannot be used.
        case remoteDescription
        /// No candidate pair works (any more).
        case ice
        /// The DTLS handshake failed.
        case dtls
        /// The peer's certificate is not the one that signalling promised.
        case fingerprint
        /// Both sides speak DTLS and have no SRTP profile in common.
        case noCommonProfile
        /// Keys could not be set up.
        case srtp
        /// Data channels could not be set up.
        case sctp
    }

    package var code: Code
    /// What failed and why, in words fit for one line.
    package var context: String

    package init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }

    package var description: String {
        context
    }
}
