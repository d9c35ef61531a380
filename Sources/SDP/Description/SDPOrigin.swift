/// Who made a description, and which version of it this is (RFC 8866, section 5.2).
package struct SDPOrigin: Hashable, Sendable {
    package var username: String
    /// Decimal; browsers use up to 63 bits, others more, so it stays text.
    package var sessionID: String
    /// Grows with each change of the description.
    package var version: UInt64
    /// `IN IP4 127.0.0.1` and the like: network type, address type and address.
    package var address: String

    package init(
        username: String = "-", sessionID: String, version: UInt64, address: String = "IN IP4 127.0.0.1"
    ) {
        self.username = username
        self.sessionID = sessionID
        self.version = version
        self.address = address
    }

    /// Reads what follows `o=`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count == 6, words[1].utf8.allSatisfy(isDigit), let version = decimal(words[2], as: UInt64.self)
        else { return nil }
        self.init(
            username: String(words[0]), sessionID: String(words[1]), version: version,
            address: words[3...].joined(separator: " "))
    }

    var text: String {
        "\(username) \(sessionID) \(version) \(address)"
    }
}

func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
