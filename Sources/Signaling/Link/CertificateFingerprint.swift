/// The SHA-256 of a certificate in DER: what a link pins its host by, and what a peer shows in its description.
package struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// `nil` unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The fingerprint of a certificate given in DER.
    package init(ofCertificate der: [UInt8]) {
        bytes = SHA256.digest(of: der)
    }

    /// Reads the form that a link carries: 43 characters of URL-safe base 64.
    package init?(linkText: some StringProtocol) {
        guard linkText.utf8.count == 43, let bytes = Base64URL.decode(linkText) else { return nil }
        self.init(bytes: bytes)
    }

    /// Reads the form of `a=fingerprint` (RFC 8122, section 5): hexadecimal pairs with colons, in either case.
    package init?(hexadecimal: some StringProtocol) {
        let pairs = hexadecimal.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard pairs.count == SHA256.byteCount else { return nil }
        var bytes: [UInt8] = []
        for pair in pairs {
            let isHexadecimal = pair.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
            guard pair.count == 2, isHexadecimal, let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        self.init(bytes: bytes)
    }

    /// The form that a link carries.
    package var linkText: String {
        Base64URL.encode(bytes)
    }

    /// Upper-case hexadecimal pairs with colons, as `a=fingerprint` and other tools write it.
    package var description: String {
        bytes.map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined(separator: ":")
    }
}
