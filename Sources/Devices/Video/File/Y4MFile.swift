import Glibc
package import MediaEngine
package import Primitives

/// An open YUV4MPEG2 file, read picture after picture and from the start again after the last.
package struct Y4MFile: ~Copyable {
    package let header: Y4MHeader
    private let path: String
    private let descriptor: Int32
    private var offset: Int
    /// Pictures that were passed since the last return to the start.
    private(set) var position = 0

    package init(_ path: String) throws(UserFacingError) {
        let descriptor: Int32
        do {
            descriptor = try RegularFile.open(path)
        } catch {
            throw Self.failure(path, error.description)
        }
        do {
            header = try Y4MHeader(Self.read(descriptor, Y4MHeader.maximumLength, at: 0))
        } catch {
            Glibc.close(descriptor)
            throw Self.failure(path, error.description, error.remedy)
        }
        self.path = path
        self.descriptor = descriptor
        offset = header.length
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// The next picture, with `time`. Passes over `skipped` ones before it.
    package mutating func next(at time: MonoTime, skipping skipped: Int = 0) throws(UserFacingError) -> VideoFrame {
        do {
            for _ in 0..<skipped { _ = try step(reads: false) }
            let bytes = try step(reads: true)
            return VideoFrame(size: header.size, bytes: bytes, time: time)
        } catch {
            throw Self.failure(path, error.description, error.remedy)
        }
    }

    /// Passes one picture, and begins anew at the end; a last one that was cut off is none. Returns its bytes when it
    /// is to be read.
    private mutating func step(reads: Bool) throws(Y4MError) -> [UInt8] {
        let byteCount = VideoFrame.byteCount(of: header.size)
        while true {
            let line = Self.read(descriptor, 256, at: offset)
            let end = line.firstIndex(of: UInt8(ascii: "\n"))
            if let end, line.starts(with: "FRAME".utf8) {
                let start = offset + end + 1
                let bytes = Self.read(descriptor, reads ? byteCount : 1, at: reads ? start : start + byteCount - 1)
                if bytes.count == (reads ? byteCount : 1) {
                    offset = start + byteCount
                    position += 1
                    return bytes
                }
            } else if !line.isEmpty, line.count == 256 || end != nil {
                throw .frameHeader(offset: offset)
            }
            guard position > 0 else { throw .noPicture }
            position = 0
            offset = header.length
        }
    }

    /// Up to `count` bytes; fewer at the end of the file.
    private static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let more = pread(descriptor, buffer.baseAddress! + filled, count - filled, offset + filled)
                guard more > 0 else { return }
                filled += more
            }
        }
    }

    private static func failure(_ path: String, _ why: String, _ remedy: String = "") -> UserFacingError {
        UserFacingError("cannot show \(path)", why: why, remedy: remedy)
    }
}
