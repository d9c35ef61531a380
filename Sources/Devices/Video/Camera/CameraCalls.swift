import CV4L2
import Glibc

/// The calls that a camera takes, as a table, so that scripted cameras can answer them too.
///
/// Every call returns 0 or more when it worked, and −errno when it did not.
package protocol CameraCalls: Sendable {
    func open(_ path: String) -> Int32
    func close(_ camera: Int32)
    /// ioctl(2), repeated when a signal cut it short. `argument` is the structure that belongs to `request`.
    func control(_ camera: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
    /// Maps a buffer of the camera; `nil` when it cannot be.
    func map(_ camera: Int32, byteCount: Int, offset: Int) -> UnsafeMutableRawBufferPointer?
    func unmap(_ buffer: UnsafeMutableRawBufferPointer)
}

/// The calls of the system.
package struct SystemCameraCalls: CameraCalls {
    package init() {}

    package func open(_ path: String) -> Int32 {
        let camera = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        return camera >= 0 ? camera : -errno
    }

    package func close(_ camera: Int32) {
        _ = Glibc.close(camera)
    }

    package func control(_ camera: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        while true {
            let status = ioctl(camera, request, argument)
            if status >= 0 { return status }
            if errno != EINTR { return -errno }
        }
    }

    package func map(_ camera: Int32, byteCount: Int, offset: Int) -> UnsafeMutableRawBufferPointer? {
        guard let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, camera, offset),
            memory != MAP_FAILED
        else { return nil }
        return UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    package func unmap(_ buffer: UnsafeMutableRawBufferPointer) {
        munmap(buffer.baseAddress, buffer.count)
    }
}

extension CameraCalls {
    /// `control` with a structure in place of a pointer.
    func control<Argument>(_ camera: Int32, _ request: UInt, _ argument: inout Argument) -> Int32 {
        withUnsafeMutableBytes(of: &argument) { control(camera, request, $0.baseAddress!) }
    }
}
