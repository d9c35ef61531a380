internal import Glibc

/// Reads files that a person has named: a pipe or a device in a file's place neither hangs the reader nor fills the
/// memory.
package enum RegularFile {
    /// The first `limit` bytes at the most.
    package static func read(_ path: String, limit: Int = 1 << 20) throws(RegularFileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failed(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
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
