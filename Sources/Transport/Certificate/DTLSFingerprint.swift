import COpenSSL

/// The digest of a certificate, as signalling carries it (RFC 8122, section 5): `sha-256 AB:CD:…`.
package struct DTLSFingerprint: Hashable, Sendable, CustomStringConvertible {
    package enum Hash: String, CaseIterable, Sendable {
        case sha256 = "sha-256"
        case sha384 = "sha-384"
        case sha512 = "sha-512"

        /// Bytes of the digest.
        package var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }
    }

    package let hash: Hash
    /// The digest, `hash.byteCount` bytes.
    package let digest: [UInt8]

    package init?(_ hash: Hash, digest: [UInt8]) {
        guard digest.count == hash.byteCount else { return nil }
        self.hash = hash
        self.digest = digest
    }

    /// Reads `sha-256 AB:CD:…`, in upper or lower case. `nil` for other hashes and for malformed text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let hash = Hash(rawValue: parts[0].lowercased()) else { return nil }
        var digest: [UInt8] = []
        for pair in parts[1].split(separator: ":", omittingEmptySubsequences: false) {
            guard pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), digest.count < 64,
                let byte = UInt8(pair, radix: 16)
            else { return nil }
            digest.append(byte)
        }
        self.init(hash, digest: digest)
    }

    /// The digest as `AB:CD:…`.
    package var value: String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }

    package var description: String {
        "\(hash.rawValue) \(value)"
    }

    /// The digest of a certificate (`X509 *`).
    init?(of certificate: OpaquePointer, hash: Hash) {
        var digest = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        let algorithm =
            switch hash {
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            case .sha512: EVP_sha512()
            }
        guard X509_digest(certificate, algorithm, &digest, &count) == 1 else { return nil }
        self.init(hash, digest: Array(digest.prefix(Int(count))))
    }
}
