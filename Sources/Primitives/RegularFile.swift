internal import Glibc

/// Opens and reads files that a person has named: a pipe or a device in a file's place neither hangs the reader nor fills the
/// memory.
package enum RegularFile {
    /// A descriptor to read from, which the caller closes.
    package static func open(_ path: String) throws(RegularFileError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failed(errno) }
        var status = stat()
        let error: RegularFileError? =
            if fstat(descriptor, &status) != 0 { .failed(errno) } else if status.st_mode & S_IFMT != S_IFREG {
                .notRegular
            } else { nil }
        guard let error else { return descriptor }
        close(descriptor)
        throw error
    }

    /// The first `limit` bytes at the most.
    package static func read(_ path: String, limit: Int = 1 << 20) throws(RegularFileError) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0 { throw .failed(errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

/// Why a file was not read.
package enum RegularFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the C library.
    case failed(Int32)
    case notRegular

    package var description: String {
        switch self {
        case .failed(let code): String(cString: strerror(code))
        case .notRegular: "it is not a regular file"
        }
    }
}
