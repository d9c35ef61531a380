/// The hash of a certificate (RFC 8122, section 5).
package struct Fingerprint: Hashable, Sendable {
    /// In lower case, such as `sha-256`.
    package let algorithm: String
    /// Upper-case hexadecimal pairs with colons.
    package let value: String

    /// `nil` where the value is no hexadecimal pairs with colons. Both are brought to their canonical case.
    package init?(algorithm: some StringProtocol, value: some StringProtocol) {
        let pairs = Substring(value).utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let areGood = pairs.allSatisfy { $0.count == 2 && $0.allSatisfy(isHexadecimal) }
        guard !algorithm.isEmpty, areGood, (16...64).contains(pairs.count) else { return nil }
        self.algorithm = algorithm.lowercased()
        self.value = value.uppercased()
    }

    /// Reads what follows `a=fingerprint:`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count == 2 else { return nil }
        self.init(algorithm: words[0], value: words[1])
    }

    var text: String {
        "\(algorithm) \(value)"
    }
}

/// Who begins the DTLS handshake (RFC 4145, section 4; RFC 8842).
package enum DTLSSetup: String, Sendable {
    case active
    case passive
    case actpass
    case holdconn
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}

extension SDPAttributed {
    package var fingerprints: [Fingerprint] {
        values(of: "fingerprint").compactMap(Fingerprint.init)
    }

    package var setup: DTLSSetup? {
        value(of: "setup").flatMap { DTLSSetup(rawValue: $0.lowercased()) }
    }
}
