/// One `m=` line and what belongs to it (RFC 8866, section 5.14).
package struct MediaSection: Equatable, Sendable, SDPAttributed {
    /// `audio`, `video`, `application`, …
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let audio = Kind(rawValue: "audio")
        package static let video = Kind(rawValue: "video")
        package static let application = Kind(rawValue: "application")
    }

    package var kind: Kind
    /// 0 rejects the section, or, with `a=bundle-only`, says that it has no address of its own.
    package var port: UInt16
    /// The number after the port, where there is one.
    package var portCount: UInt16?
    /// The transport's profile, such as `UDP/TLS/RTP/SAVPF`.
    package var profile: String
    /// Payload types, for RTP.
    package var formats: [String]
    /// All lines but attributes: `i`, `c`, `b`, `k` and unknown ones.
    package var lines: [SDPLine] = []
    package var attributes: [SDPAttribute] = []

    package init(kind: Kind, port: UInt16, profile: String, formats: [String]) {
        self.kind = kind
        self.port = port
        self.profile = profile
        self.formats = formats
    }

    /// Reads what follows `m=`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count >= 4 else { return nil }
        let (port, count) = words[1].cut(at: "/")
        guard let port = decimal(port, as: UInt16.self) else { return nil }
        self.init(
            kind: Kind(rawValue: String(words[0])), port: port, profile: String(words[2]),
            formats: words[3...].map(String.init))
        guard let count else { return }
        guard let number = decimal(count, as: UInt16.self), number > 0 else { return nil }
        portCount = number
    }

    var text: String {
        let ports = portCount.map { "\(port)/\($0)" } ?? "\(port)"
        return "\(kind.rawValue) \(ports) \(profile) \(formats.joined(separator: " "))"
    }

    /// Whether the section is refused, or was given up (RFC 3264, section 6; RFC 8843, section 6).
    package var isRejected: Bool {
        port == 0 && !isBundleOnly
    }
}
