/// A STUN or TURN server, over UDP.
package struct ICEServer: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case stun
        case turn(user: String, password: String)
    }

    package var kind: Kind
    /// A name or an address.
    package var host: String
    package var port: UInt16

    package init(_ kind: Kind, host: String, port: UInt16 = 3478) {
        self.kind = kind
        self.host = host
        self.port = port
    }

    /// Reads `stun:HOST[:PORT]` or `turn:HOST[:PORT]` (RFC 7064, RFC 7065), with `[…]` around an IPv6 address.
    /// Other schemes and transports are `nil`.
    package init?(url: String, user: String = "", password: String = "") {
        let (address, query) = Self.cut(url[...], at: "?")
        guard query == nil || query == "transport=udp" else { return nil }
        let (scheme, rest) = Self.cut(address, at: ":")
        guard let rest, let (host, port) = Self.authority(rest) else { return nil }
        switch scheme.lowercased() {
        case "stun": kind = .stun
        case "turn": kind = .turn(user: user, password: password)
        default: return nil
        }
        self.host = host
        self.port = port
    }

    private static func authority(_ text: Substring) -> (String, UInt16)? {
        if text.hasPrefix("[") {
            let (host, rest) = cut(text.dropFirst(), at: "]")
            guard let rest, ICECandidate.isAddress(String(host)) else { return nil }
            return port(rest.isEmpty ? nil : rest.dropFirst()).map { (String(host), $0) }
        }
        let (host, number) = cut(text, at: ":")
        guard !host.isEmpty else { return nil }
        return port(number).map { (String(host), $0) }
    }

    private static func port(_ text: Substring?) -> UInt16? {
        guard let text else { return 3478 }
        return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func cut(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
        guard let place = text.firstIndex(of: mark) else { return (text, nil) }
        return (text[..<place], text[text.index(after: place)...])
    }
}
