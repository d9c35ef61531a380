internal import CGLib
internal import Glibc

/// A host of a link, checked: a name in ASCII and lower case, or an address.
package struct LinkHost: Equatable {
    package let text: String
    /// Whether it is this machine.
    package let isLoopback: Bool
    /// Whether it is an address and no name.
    package let isAddress: Bool

    /// Reads a name (international ones too), an IPv4 address, or an IPv6 address with or without brackets.
    package init(_ raw: String) throws(RoomLinkError) {
        guard !raw.isEmpty else { throw .missingHost }
        let bare = raw.hasPrefix("[") && raw.hasSuffix("]") ? String(raw.dropFirst().dropLast()) : raw
        if bare.utf8.contains(UInt8(ascii: ":")) {
            guard let address = Self.address6(bare) else { throw .invalidHost(raw) }
            self = address
        } else {
            guard bare == raw, let name = Self.name(bare) else { throw .invalidHost(raw) }
            self = name
        }
    }

    private init(text: String, isLoopback: Bool, isAddress: Bool) {
        self.text = text
        self.isLoopback = isLoopback
        self.isAddress = isAddress
    }

    /// An IPv6 address, with its zone after `%` or, as in links, `%25` (RFC 6874).
    private static func address6(_ text: String) -> LinkHost? {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var address = in6_addr()
        guard let literal = parts.first, inet_pton(AF_INET6, String(literal), &address) == 1 else { return nil }
        let isLoopback = withUnsafeBytes(of: address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        guard parts.count == 2 else {
            return LinkHost(text: literal.lowercased(), isLoopback: isLoopback, isAddress: true)
        }
        let zone = parts[1].hasPrefix("25") ? parts[1].dropFirst(2) : parts[1]
        guard !zone.isEmpty, zone.utf8.count <= 15, zone.utf8.allSatisfy(isNameByte) else { return nil }
        return LinkHost(text: literal.lowercased() + "%" + zone, isLoopback: isLoopback, isAddress: true)
    }

    private static func name(_ text: String) -> LinkHost? {
        guard text.utf8.count <= 253, let ascii = asciiName(text), ascii.utf8.count <= 253 else { return nil }
        let labels = ascii.split(separator: ".", omittingEmptySubsequences: false)
        let areGood = labels.allSatisfy { !$0.isEmpty && $0.utf8.count <= 63 && $0.utf8.allSatisfy(isNameByte) }
        guard areGood else { return nil }
        var address = in_addr()
        if inet_pton(AF_INET, ascii, &address) == 1 {
            let isLoopback = UInt32(bigEndian: address.s_addr) >> 24 == 127
            return LinkHost(text: ascii, isLoopback: isLoopback, isAddress: true)
        }
        // What ends in a number is an IPv4 address to browsers, or nothing.
        guard labels.last?.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) == false else {
            return nil
        }
        return LinkHost(text: ascii, isLoopback: labels.last == "localhost", isAddress: false)
    }

    private static func asciiName(_ text: String) -> String? {
        guard let ascii = g_hostname_to_ascii(text) else { return nil }
        defer { g_free(ascii) }
        return String(cString: ascii).lowercased()
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
