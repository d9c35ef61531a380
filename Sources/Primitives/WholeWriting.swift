import Glibc

/// Writes all of `bytes` to a descriptor that blocks, in as many pieces as that takes. Returns whether it could; if not,
/// `errno` says why.
package func writeWhole(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}
