internal import CGLib

/// SHA-256 and its keyed form, by GLib.
enum SHA256 {
    static let byteCount = 32

    static func digest(of bytes: [UInt8]) -> [UInt8] {
        let checksum = g_checksum_new(G_CHECKSUM_SHA256)
        defer { g_checksum_free(checksum) }
        g_checksum_update(checksum, bytes, gssize(bytes.count))
        return read { g_checksum_get_digest(checksum, $0, $1) }
    }

    /// HMAC-SHA-256 (RFC 2104).
    static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let hmac = g_hmac_new(G_CHECKSUM_SHA256, key, gsize(key.count))
        defer { g_hmac_unref(hmac) }
        g_hmac_update(hmac, bytes, gssize(bytes.count))
        return read { g_hmac_get_digest(hmac, $0, $1) }
    }

    private static func read(
        _ digest: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<gsize>) -> Void
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            var length = gsize(byteCount)
            digest(buffer.baseAddress, &length)
            count = Int(length)
        }
    }
}

/// Whether both are equal, in a time that depends on their lengths only.
func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
