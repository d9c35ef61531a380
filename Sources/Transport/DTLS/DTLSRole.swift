/// Who sends the first DTLS flight (RFC 5763, section 5).
package enum DTLSRole: String, Sendable {
    /// `a=setup:active`.
    case client
    /// `a=setup:passive`.
    case server
}
