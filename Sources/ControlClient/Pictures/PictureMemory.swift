import CLinux
import Glibc

/// Memory that two processes share. Numbers in it are stored and loaded so that what was written before one is seen by
/// who sees the number.
struct PictureMemory: ~Copyable {
    let byteCount: Int
    private let base: UnsafeMutableRawPointer

    /// Maps `descriptor`, which must be `byteCount` long for ever: a memory that could shrink would end its reader.
    init(descriptor: Int32, byteCount: Int, isWritable: Bool) throws(ClientError) {
        var status = stat()
        guard clinux_memory_is_sealed(descriptor) == 1, fstat(descriptor, &status) == 0,
            status.st_size >= byteCount, byteCount > 0
        else { throw .pictures("the shared memory is none, or too small") }
        let access = PROT_READ | (isWritable ? PROT_WRITE : 0)
        guard let base = mmap(nil, byteCount, access, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
            throw .pictures("the shared memory cannot be mapped: \(describe(errno))")
        }
        self.base = base
        self.byteCount = byteCount
    }

    deinit {
        munmap(base, byteCount)
    }

    func load(_ offset: Int) -> UInt64 {
        clinux_load_acquire(base + offset)
    }

    func store(_ value: UInt64, at offset: Int) {
        clinux_store_release(base + offset, value)
    }

    func copy(from offset: Int, to bytes: UnsafeMutableBufferPointer<UInt8>) {
        UnsafeMutableRawBufferPointer(bytes).copyMemory(
            from: UnsafeRawBufferPointer(start: base + offset, count: bytes.count))
        clinux_fence_acquire()
    }

    func copy(_ bytes: UnsafeRawBufferPointer, to offset: Int) {
        clinux_fence_release()
        UnsafeMutableRawBufferPointer(start: base + offset, count: bytes.count).copyMemory(from: bytes)
    }
}
