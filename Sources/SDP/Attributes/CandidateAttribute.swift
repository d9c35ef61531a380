internal import Glibc

/// Why a text is no candidate.
package enum CandidateError: Error, Equatable {
    case tooLong(byteCount: Int)
    case missingFields
    case malformed(field: String)
}

/// One ICE candidate (RFC 8839, section 5.1; RFC 6544 for TCP).
package struct CandidateAttribute: Hashable, Sendable {
    package static let maximumByteCount = 1024

    package enum Transport: Hashable, Sendable {
        case udp
        case tcp
        case other(String)
    }

    package enum Kind: String, Sendable {
        case host
        case serverReflexive = "srflx"
        case peerReflexive = "prflx"
        case relay
    }

    package enum TCPType: String, Sendable {
        case active
        case passive
        case simultaneousOpen = "so"
    }

    /// What an address is, so that its owner knows whether to resolve it first.
    package enum AddressKind: Sendable {
        case ipv4
        case ipv6
        /// A name below `.local`, which hides an address of the peer's machine (RFC 6762).
        case multicastDNS
        case name
    }

    /// An attribute after the fixed ones, such as `generation 0`.
    package struct Extension: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package var foundation: String
    /// 1 is RTP, and RTCP with it where both share a port.
    package var component: UInt16
    package var transport: Transport
    package var priority: UInt32
    package var address: String
    package var port: UInt16
    package var kind: Kind
    package var relatedAddress: String?
    package var relatedPort: UInt16?
    package var tcpType: TCPType?
    package var extensions: [Extension] = []

    package init(
        foundation: String, component: UInt16 = 1, transport: Transport = .udp, priority: UInt32, address: String,
        port: UInt16, kind: Kind
    ) {
        self.foundation = foundation
        self.component = component
        self.transport = transport
        self.priority = priority
        self.address = address
        self.port = port
        self.kind = kind
    }

    package var addressKind: AddressKind {
        Self.addressKind(of: address) ?? .name
    }

    /// The ICE generation that it says it belongs to.
    package var ufrag: String? {
        extensions.first { $0.name == "ufrag" }?.value
    }

    /// What an address is; `nil` where it is neither an address nor a host name.
    static func addressKind(of text: String) -> AddressKind? {
        var buffer = in6_addr()
        if inet_pton(AF_INET, text, &buffer) == 1 { return .ipv4 }
        if inet_pton(AF_INET6, text, &buffer) == 1 { return .ipv6 }
        guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy(isNameByte) else { return nil }
        return text.lowercased().hasSuffix(".local") ? .multicastDNS : .name
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "=") && isICECharacter(byte)
            || byte == UInt8(ascii: ".")
    }
}

extension CandidateAttribute {
    /// The form that goes alone: `candidate:…`, as browsers and libnice have it.
    package var text: String {
        "candidate:" + value
    }

    /// What follows `a=candidate:`.
    package var value: String {
        var words = [foundation, "\(component)", transport.text, "\(priority)", address, "\(port)"]
        words += ["typ", kind.rawValue]
        if let relatedAddress { words += ["raddr", relatedAddress] }
        if let relatedPort { words += ["rport", "\(relatedPort)"] }
        if let tcpType { words += ["tcptype", tcpType.rawValue] }
        for item in extensions { words += [item.name, item.value] }
        return words.joined(separator: " ")
    }

    /// Reads a candidate with or without `a=` and `candidate:` before it.
    package init(parsing text: some StringProtocol) throws(CandidateError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong(byteCount: text.utf8.count) }
        guard text.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else { throw .malformed(field: "line") }
        var rest = Substring(text).trimmed
        if rest.hasPrefix("a=") { rest = rest.dropFirst(2) }
        if rest.hasPrefix("candidate:") { rest = rest.dropFirst(10) }
        let words = rest.words
        guard words.count >= 8 else { throw .missingFields }
        guard words[6] == "typ" else { throw .malformed(field: "typ") }
        try self.init(fixed: words.prefix(8).map { $0 })
        try readExtensions(words.dropFirst(8).map { $0 })
    }

    private init(fixed words: [Substring]) throws(CandidateError) {
        guard (1...64).contains(words[0].utf8.count), words[0].utf8.allSatisfy({ isICECharacter($0) || $0 == 0x2E })
        else { throw .malformed(field: "foundation") }
        guard let component = decimal(words[1], as: UInt16.self), (1...256).contains(component) else {
            throw .malformed(field: "component")
        }
        guard let priority = decimal(words[3], as: UInt32.self) else { throw .malformed(field: "priority") }
        guard Self.addressKind(of: String(words[4])) != nil else { throw .malformed(field: "address") }
        guard let port = decimal(words[5], as: UInt16.self) else { throw .malformed(field: "port") }
        guard let kind = Kind(rawValue: String(words[7])) else { throw .malformed(field: "type") }
        self.init(
            foundation: String(words[0]), component: component, transport: Transport(words[2]), priority: priority,
            address: String(words[4]), port: port, kind: kind)
    }

    private mutating func readExtensions(_ words: [Substring]) throws(CandidateError) {
        var rest = words[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw .malformed(field: String(name)) }
            switch name {
            case "raddr":
                guard Self.addressKind(of: String(value)) != nil else { throw .malformed(field: "raddr") }
                relatedAddress = String(value)
            case "rport":
                guard let port = decimal(value, as: UInt16.self) else { throw .malformed(field: "rport") }
                relatedPort = port
            case "tcptype":
                guard let type = TCPType(rawValue: String(value)) else { throw .malformed(field: "tcptype") }
                tcpType = type
            default: extensions.append(Extension(name: String(name), value: String(value)))
            }
        }
    }
}

extension CandidateAttribute.Transport {
    init(_ text: Substring) {
        switch text.lowercased() {
        case "udp": self = .udp
        case "tcp": self = .tcp
        default: self = .other(String(text))
        }
    }

    var text: String {
        switch self {
        case .udp: "udp"
        case .tcp: "tcp"
        case .other(let text): text
        }
    }
}
