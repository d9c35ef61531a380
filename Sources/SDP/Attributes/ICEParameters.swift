/// User name fragment and password of one ICE generation (RFC 8839, section 5.4).
package struct ICEParameters: Hashable, Sendable {
    /// 4…256 characters of `A-Z a-z 0-9 + /`.
    package let ufrag: String
    /// 22…256 such characters.
    package let password: String

    /// `nil` where a length or a character is not as the RFC has it.
    package init?(ufrag: some StringProtocol, password: some StringProtocol) {
        guard (4...256).contains(ufrag.utf8.count), ufrag.utf8.allSatisfy(isICECharacter) else { return nil }
        guard (22...256).contains(password.utf8.count), password.utf8.allSatisfy(isICECharacter) else { return nil }
        self.ufrag = String(ufrag)
        self.password = String(password)
    }

    /// New ones: 48 bits and 144 bits of `generator`, which must be fit for secrets.
    package init(using generator: inout some RandomNumberGenerator) {
        ufrag = Self.text(8, using: &generator)
        password = Self.text(24, using: &generator)
    }

    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func text(_ count: Int, using generator: inout some RandomNumberGenerator) -> String {
        let bytes = (0..<count).map { _ in alphabet[Int(UInt8.random(in: 0..<64, using: &generator))] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// `ice-char` of RFC 8839, section 5.1, and `-`, `_`, `=`, which some stacks use.
func isICECharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "="):
        true
    default: false
    }
}
