import COpenSSL

/// A user and a secret for TURN (RFC 8489, section 9.2).
package struct TURNCredentials: Hashable, Sendable {
    package var user: String
    package var secret: String

    package init(user: String, secret: String) {
        self.user = user
        self.secret = secret
    }

    /// Credentials that hold until `expiry`, in seconds since 1970, for a server that shares `sharedSecret` with us: the
    /// REST convention (draft-uberti-behave-turn-rest), coturn's `use-auth-secret`.
    package init(sharedSecret: String, name: String, expiry: Int) {
        user = "\(expiry):\(name)"
        secret = Self.base64(Self.hmacSHA1(key: Array(sharedSecret.utf8), Array(user.utf8)))
    }

    private static func hmacSHA1(key: [UInt8], _ text: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard HMAC(EVP_sha1(), key, Int32(key.count), text, text.count, &digest, &count) != nil else { return [] }
        return Array(digest[..<Int(count)])
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text[..<Int(count)], as: UTF8.self)
    }
}
