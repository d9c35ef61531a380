import Glibc

/// Why a socket could not be made: what failed, why, and what to do.
package enum SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path does not fit into a Unix socket address.
    case pathTooLong(path: String, limit: Int)
    /// A system call failed with `errno`.
    case failed(call: String, path: String, errno: Int32)

    /// Reads `errno`, so it comes directly after the call that failed.
    static func last(_ call: String, _ path: String) -> SocketError {
        .failed(call: call, path: path, errno: errno)
    }

    package var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "\(path): the path has \(path.utf8.count) bytes and a socket's may have \(limit);"
                + " choose a shorter directory"
        case .failed(let call, let path, let code):
            "\(path): \(call): \(String(cString: strerror(code)))"
        }
    }
}
