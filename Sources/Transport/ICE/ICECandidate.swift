import Glibc

/// An ICE candidate as signalling carries it (RFC 8839, section 5.1): only what this side can use parses.
package struct ICECandidate: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        case host
        case serverReflexive = "srflx"
        case peerReflexive = "prflx"
        case relayed = "relay"
    }

    /// Why a candidate line is not used. None of these is an error: peers may offer them.
    package enum Refusal: Error, Hashable, Sendable {
        case malformed
        /// Component 2 (RTCP beside RTP), which rtcp-mux makes needless.
        case component
        /// TCP.
        case transport
        /// A name that is not one of multicast DNS, or something else that is no IP address.
        case name
    }

    package var foundation: String
    package var priority: UInt32
    /// An IPv4 or IPv6 address, in numbers; or a name below `.local`, which stands for one (`isNamed`).
    package var address: String
    package var port: UInt16
    package var kind: Kind
    /// Where a reflexive or relayed candidate comes from.
    package var related: Related?

    package struct Related: Hashable, Sendable {
        package var address: String
        package var port: UInt16

        package init(address: String, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// Reads `candidate:…`, with or without `a=` before it. Attributes that it does not know are skipped.
    package init(line: some StringProtocol) throws(Refusal) {
        guard line.utf8.count <= 512 else { throw .malformed }
        let text = line.hasPrefix("a=") ? line.dropFirst(2) : line[...]
        guard text.hasPrefix("candidate:") else { throw .malformed }
        let fields = text.dropFirst(10).split(separator: " ")
        guard fields.count >= 8, fields[6] == "typ" else { throw .malformed }
        guard (1...32).contains(fields[0].utf8.count), fields[0].utf8.allSatisfy(Self.isICECharacter),
            let component = UInt16(fields[1]), let priority = UInt32(fields[3]), let port = UInt16(fields[5])
        else { throw .malformed }
        guard component == 1 else { throw .component }
        guard fields[2].lowercased() == "udp" else { throw .transport }
        guard let kind = Kind(rawValue: String(fields[7])) else { throw .malformed }
        guard Self.isAddress(String(fields[4])) || Self.isMulticastName(String(fields[4])) else { throw .name }
        foundation = String(fields[0])
        self.priority = priority
        address = String(fields[4])
        self.port = port
        self.kind = kind
        related = Self.related(in: fields[8...])
        // Port 9 is what TCP and withheld candidates carry; port 0 cannot be sent to.
        guard port > 0 else { throw .malformed }
    }

    package init(foundation: String, priority: UInt32, address: String, port: UInt16, kind: Kind, related: Related?) {
        self.foundation = foundation
        self.priority = priority
        self.address = address
        self.port = port
        self.kind = kind
        self.related = related
    }

    /// Whether a name of multicast DNS hides the address (draft-ietf-mmusic-mdns-ice-candidates): it is looked up first.
    package var isNamed: Bool {
        !Self.isAddress(address)
    }

    package var isIPv6: Bool {
        address.contains(":")
    }

    /// `candidate:…`, without `a=`.
    package var description: String {
        var line = "candidate:\(foundation) 1 UDP \(priority) \(address) \(port) typ \(kind.rawValue)"
        if let related {
            line += " raddr \(related.address) rport \(related.port)"
        }
        return line
    }

    private static func related(in fields: ArraySlice<some StringProtocol>) -> Related? {
        var address: String?
        var port: UInt16?
        var rest = fields
        while let name = rest.popFirst(), let value = rest.popFirst() {
            if name == "raddr", isAddress(String(value)) { address = String(value) }
            if name == "rport" { port = UInt16(value) }
        }
        guard let address, let port else { return nil }
        return Related(address: address, port: port)
    }

    /// Letters, digits, `+` and `/` (RFC 8839, section 5.1), and `-`, `_`, `=`, which some stacks use.
    static func isICECharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x2D, 0x5F, 0x3D: true
        default: false
        }
    }

    /// Whether `text` is one label below `.local`.
    private static func isMulticastName(_ text: String) -> Bool {
        let label = text.utf8.dropLast(6)
        return text.lowercased().hasSuffix(".local") && (1...63).contains(label.count)
            && label.allSatisfy { isICECharacter($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "+") }
    }

    /// Whether `text` is an IPv4 or IPv6 address in numbers.
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count < 46 else { return false }
        var storage: (UInt64, UInt64) = (0, 0)
        return inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1
    }
}

/// The short-term credentials of one ICE generation (RFC 8445, section 5.3).
package struct ICECredentials: Hashable, Sendable {
    package var ufrag: String
    package var password: String

    package init(ufrag: String, password: String) {
        self.ufrag = ufrag
        self.password = password
    }

    /// Whether lengths and characters are those that RFC 8839, section 5.4 allows.
    package var isValid: Bool {
        (4...256).contains(ufrag.utf8.count) && (22...256).contains(password.utf8.count)
            && ufrag.utf8.allSatisfy(ICECandidate.isICECharacter)
            && password.utf8.allSatisfy(ICECandidate.isICECharacter)
    }
}
