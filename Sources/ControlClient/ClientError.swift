package import ControlProtocol

/// Why the core could not be asked.
package enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No core runs.
    case noCore
    /// A core could not be started.
    case cannotStart(String)
    /// The socket's path cannot be used.
    case path(String)
    /// The connection ended.
    case lost(String)
    /// The core did not answer within the time given.
    case timeout(method: String)
    /// The core answered with an error.
    case refused(RPCError)
    /// Pictures cannot be shared.
    case pictures(String)

    /// One line: what, why, what to do.
    package var description: String {
        switch self {
        case .noCore: "no core is running; `hoot` or `hoot core` starts one"
        case .cannotStart(let why): "the core did not start: \(why)"
        case .path(let why): why
        case .lost(let why): "the core is gone: \(why); `hoot` starts a new one"
        case .timeout(let method): "the core did not answer \(method); `hoot core stop` ends it, the log says why"
        case .refused(let error): error.message
        case .pictures(let why): "no pictures come from the core: \(why)"
        }
    }
}
