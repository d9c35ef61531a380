/// A STUN or TURN server, and how it is spoken to. Its description does not show credentials.
package struct ICEServer: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
        case stun
        case turn
    }

    /// What carries STUN between us and the server.
    package enum Transport: String, Hashable, Sendable {
        case udp
        case tcp
        case tls
    }

    package var kind: Kind
    package var transport: Transport
    /// A name or an address, without brackets.
    package var host: String
    package var port: UInt16
    /// What a TURN server wants to be shown; `nil`: not known.
    package var credentials: TURNCredentials?

    package init(
        _ kind: Kind, _ transport: Transport = .udp, host: String, port: UInt16 = 3478,
        credentials: TURNCredentials? = nil
    ) {
        self.kind = kind
        self.transport = transport
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// The URI (RFC 7064, RFC 7065), without credentials.
    package var description: String {
        let authority = (host.contains(":") ? "[\(host)]" : host) + (port == defaultPort ? "" : ":\(port)")
        return switch transport {
        case .udp: "\(kind.rawValue):\(authority)"
        case .tcp: "\(kind.rawValue):\(authority)?transport=tcp"
        case .tls: "\(kind.rawValue)s:\(authority)"
        }
    }

    var defaultPort: UInt16 {
        transport == .tls ? 5349 : 3478
    }
}
