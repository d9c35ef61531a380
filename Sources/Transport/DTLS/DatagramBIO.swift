import COpenSSL

/// The method of a BIO that hands `DTLSSession` whole datagrams; a memory BIO would glue them together.
// unchecked: written once before the first use and only read by OpenSSL afterwards.
nonisolated(unsafe) let datagramBIOMethod: OpaquePointer? = {
    guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "datagrams") else { return nil }
    BIO_meth_set_create(method, createBIO)
    BIO_meth_set_write(method, writeBIO)
    BIO_meth_set_read(method, readBIO)
    BIO_meth_set_ctrl(method, controlBIO)
    return method
}()

/// Bytes of UDP payload that a flight's datagrams may have.
let datagramMTU = 1200

/// Macros of `bio.h` that Swift does not see.
private let queryMTU: Int32 = 40
private let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY

/// The session behind a BIO of this method.
func dtlsSession(of bio: OpaquePointer?) -> DTLSSession? {
    guard let data = BIO_get_data(bio) else { return nil }
    return Unmanaged<DTLSSession>.fromOpaque(data).takeUnretainedValue()
}

private func createBIO(_ bio: OpaquePointer?) -> Int32 {
    BIO_set_init(bio, 1)
    return 1
}

private func writeBIO(_ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
    guard let session = dtlsSession(of: bio), count >= 0 else { return -1 }
    session.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    return count
}

private func readBIO(_ bio: OpaquePointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ capacity: Int32) -> Int32 {
    BIO_clear_flags(bio, retryFlags)
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: max(0, Int(capacity)))
    guard let count = dtlsSession(of: bio)?.read(into: buffer) else {
        BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return -1
    }
    return Int32(clamping: count)
}

private func controlBIO(
    _ bio: OpaquePointer?, _ command: Int32, _ number: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int {
    switch command {
    case BIO_CTRL_FLUSH: 1
    case queryMTU, BIO_CTRL_DGRAM_GET_FALLBACK_MTU: datagramMTU
    case BIO_CTRL_DGRAM_GET_MTU_OVERHEAD: 28
    case BIO_CTRL_DGRAM_SET_MTU: number
    default: 0
    }
}
