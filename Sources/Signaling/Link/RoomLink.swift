import Primitives

/// A link to a room: `https://HOST:PORT/r/ROOM#TOKEN.FINGERPRINT`.
///
/// Everything secret stands after `#`, which no HTTP client sends. The fingerprint pins the host's certificate for
/// `hoot join`; without one the host needs a certificate that the system's authorities vouch for. Plain HTTP is for
/// loopback hosts only.
package struct RoomLink: Equatable, Sendable {
    package static let maximumByteCount = 2048

    package enum Scheme: String, Sendable {
        case https
        case http

        var defaultPort: UInt16 {
            self == .https ? 443 : 80
        }
    }

    package let scheme: Scheme
    /// A name in ASCII and lower case, or an address; IPv6 without its brackets.
    package let host: String
    package let port: UInt16
    package let room: RoomName
    package private(set) var token: RoomToken
    package let fingerprint: CertificateFingerprint?

    /// A link to a room that is served at `host` (a name, or an address with or without brackets).
    package init(
        scheme: Scheme = .https, host: String, port: UInt16, room: RoomName, token: RoomToken,
        fingerprint: CertificateFingerprint?
    ) throws(RoomLinkError) {
        let host = try LinkHost(host)
        guard port > 0 else { throw .invalidPort("0") }
        guard scheme == .https || host.isLoopback else { throw .unencrypted(host: host.text) }
        self.scheme = scheme
        self.host = host.text
        self.port = port
        self.room = room
        self.token = token
        self.fingerprint = fingerprint
    }

    init(at origin: PublicOrigin, room: RoomName, token: RoomToken) {
        (scheme, host, port) = (origin.scheme, origin.host, origin.port)
        (self.room, self.token, fingerprint) = (room, token, nil)
    }

    /// The whole link, secret included.
    package var text: String {
        let secret = token.text + (fingerprint.map { "." + $0.linkText } ?? "")
        return "\(scheme.rawValue)://\(authority)/r/\(PercentEncoding.encode(room.text))#\(secret)"
    }

    /// The link with its secret left out: for the screen's history, logs and lists.
    package var publicText: String {
        "\(scheme.rawValue)://\(authority)/r/\(PercentEncoding.encode(room.text))"
    }

    /// Where the room's WebSocket is. It carries no secret: the token is the first message.
    package var socketAddress: String {
        "\(scheme == .https ? "wss" : "ws")://\(authority)/ws"
    }

    /// Whether the host is this machine.
    package var isLoopback: Bool {
        (try? LinkHost(host))?.isLoopback ?? false
    }

    /// Host and port as they stand in a link; the scheme's own port is left out.
    package var authority: String {
        Self.authority(scheme: scheme, host: host, port: port)
    }

    /// Whether both lead to one room: to the same port of a host, or to others with the same certificate or token.
    package func isSameRoom(as other: RoomLink) -> Bool {
        guard room == other.room else { return false }
        return authority == other.authority || token == other.token
            || fingerprint != nil && fingerprint == other.fingerprint
    }

    /// The same way to the same room, by another token.
    package func opened(by token: RoomToken) -> RoomLink {
        var link = self
        link.token = token
        return link
    }

    static func authority(scheme: Scheme, host: String, port: UInt16) -> String {
        let isAddress6 = host.utf8.contains(UInt8(ascii: ":"))
        let name = isAddress6 ? "[" + host.replacing("%", with: "%25") + "]" : host
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }
}
