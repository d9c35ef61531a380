import Primitives

extension ICEServer {
    /// Why a text names no server that can be used. The text itself is not repeated: it may hold a secret.
    package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case scheme
        case transport
        case address
        case credentials

        package var description: String {
            switch self {
            case .scheme: "it begins with none of stun:, turn: and turns:"
            case .transport: "transport is udp or tcp for turn:, tcp for turns:"
            case .address: "it has no host, or a port that is none"
            case .credentials: "USER:SECRET belong before @ in turn: and turns:, with %40 for @ and %3A for : in them"
            }
        }
    }

    /// Stands for a secret where people look.
    package static let hiddenSecret = "…"

    /// Reads `stun:HOST[:PORT]` (RFC 7064), and `turn:` and `turns:` with `?transport=` (RFC 7065); `[…]` is around an
    /// IPv6 address. Credentials may stand before the host, percent-encoded: `turn:USER:SECRET@HOST`.
    package init(uri: some StringProtocol) throws(Refusal) {
        let (address, query) = Self.cut(Substring(uri), at: "?")
        let (scheme, rest) = Self.cut(address, at: ":")
        let isSecure = scheme.lowercased() == "turns"
        guard let rest, let kind = isSecure ? .turn : Kind(rawValue: scheme.lowercased()) else { throw .scheme }
        self.kind = kind
        transport = try Self.transport(isSecure: isSecure, kind, query)
        let mark = rest.lastIndex(of: "@")
        credentials = try mark.map { (mark) throws(Refusal) in try Self.credentials(rest[..<mark], kind) }
        let authority = mark.map { rest[rest.index(after: $0)...] } ?? rest
        guard let (host, port) = Self.authority(authority) else { throw .address }
        self.host = host
        self.port = 0
        self.port = port ?? defaultPort
    }

    /// The URI with its user, and the secret hidden.
    package var shownURI: String {
        guard let credentials else { return description }
        let (scheme, rest) = Self.cut(description[...], at: ":")
        return "\(scheme):\(PercentEncoding.encode(credentials.user)):\(Self.hiddenSecret)@\(rest ?? "")"
    }

    private static func transport(
        isSecure: Bool, _ kind: Kind, _ query: Substring?
    ) throws(Refusal) -> Transport {
        switch (query?.lowercased(), isSecure) {
        case (nil, true), ("transport=tcp", true): return .tls
        case (nil, false): return .udp
        case ("transport=udp", false) where kind == .turn: return .udp
        case ("transport=tcp", false) where kind == .turn: return .tcp
        default: throw .transport
        }
    }

    private static func credentials(_ text: Substring, _ kind: Kind) throws(Refusal) -> TURNCredentials {
        let (user, secret) = cut(text, at: ":")
        guard kind == .turn, let user = PercentEncoding.decode(user), !user.isEmpty,
            let secret = secret.flatMap({ PercentEncoding.decode($0) }), !secret.isEmpty, secret != hiddenSecret
        else { throw .credentials }
        return TURNCredentials(user: user, secret: secret)
    }

    private static func authority(_ text: Substring) -> (String, UInt16?)? {
        if text.hasPrefix("[") {
            let (host, rest) = cut(text.dropFirst(), at: "]")
            guard let rest, ICECandidate.isAddress(String(host)) else { return nil }
            guard !rest.isEmpty else { return (String(host), nil) }
            return rest.first == ":" ? port(rest.dropFirst()).map { (String(host), $0) } : nil
        }
        let (host, number) = cut(text, at: ":")
        guard !host.isEmpty, host.utf8.allSatisfy(isHostCharacter) else { return nil }
        guard let number else { return (String(host), nil) }
        return port(number).map { (String(host), $0) }
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func port(_ text: Substring) -> UInt16? {
        UInt16(text).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func cut(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
        guard let place = text.firstIndex(of: mark) else { return (text, nil) }
        return (text[..<place], text[text.index(after: place)...])
    }
}
