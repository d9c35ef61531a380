import ControlProtocol

/// Why a wish on a call was not fulfilled.
struct CallError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Code: String, Hashable, Sendable {
        case noSuchCall
        case wrongPhase
        case refused
        case unreachable
        case timeout
        case ended
    }

    var code: Code
    /// One line: what, why, what to do.
    var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The answer on the socket.
    var rpcError: RPCError {
        .failed(description)
    }
}
