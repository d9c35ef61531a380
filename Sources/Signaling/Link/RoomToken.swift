/// The secret that opens a room: at least 128 random bits, or a signed grant (`RoomTokenSigner`).
///
/// Equality takes a time that depends on the lengths only. Its description shows nothing, so that it may stand in a log
/// by accident; `text` is the secret itself.
package struct RoomToken: Equatable, Sendable, CustomStringConvertible {
    package static let minimumByteCount = 16
    package static let maximumByteCount = 96

    let bytes: [UInt8]

    /// A new one of 144 bits: 24 characters in a link.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = randomBytes(18, using: &generator)
    }

    /// Reads the text that a link carries; `nil` where it is no URL-safe base 64 of 16…96 bytes.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    init?(bytes: [UInt8]) {
        guard (Self.minimumByteCount...Self.maximumByteCount).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// A signed grant.
    init(signed bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What stands in a link after `#`.
    package var text: String {
        Base64URL.encode(bytes)
    }

    package static func == (left: RoomToken, right: RoomToken) -> Bool {
        equalInConstantTime(left.bytes, right.bytes)
    }

    package var description: String {
        "token of \(bytes.count) bytes"
    }
}

func randomBytes(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
