/// A JSON-RPC 2.0 error.
package struct RPCError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package var code: Int
    /// One line: what, why, what to do.
    package var message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String {
        message
    }

    /// Whether the request itself was wrong, whatever the core's state: an unknown method, a parameter that does not fit.
    package var isMisuse: Bool {
        code == -32601 || code == -32602
    }

    package static func parse(_ message: String) -> RPCError {
        RPCError(code: -32700, message: message)
    }

    package static func invalidRequest(_ message: String) -> RPCError {
        RPCError(code: -32600, message: message)
    }

    package static func methodNotFound(_ method: String) -> RPCError {
        RPCError(code: -32601, message: "no method \(method.quoted); `hoot ctl --help` lists them")
    }

    package static func invalidParams(_ message: String) -> RPCError {
        RPCError(code: -32602, message: message)
    }

    /// The method is known and its parameters are right, but it cannot be done now.
    package static func failed(_ message: String) -> RPCError {
        RPCError(code: -32000, message: message)
    }

    /// The two sides speak different versions and the method is not a frozen one.
    package static func versionMismatch(_ message: String) -> RPCError {
        RPCError(code: -32001, message: message)
    }
}

/// One message of the socket: a JSON object in a line of its own.
package enum RPCMessage: Hashable, Sendable {
    /// `id` is a string or an integer, or `nil` for a notification.
    case request(id: JSONValue?, method: String, params: JSONValue?)
    case result(id: JSONValue, JSONValue)
    /// `id` is `.null` where the request's own could not be read.
    case error(id: JSONValue, RPCError)

    /// Parses a line without its newline.
    package init(line: some Sequence<UInt8>) throws(RPCError) {
        guard let value = JSONValue(parsing: line) else { throw .parse("not a JSON object in one line") }
        guard case .object(let members) = value else {
            throw .invalidRequest("a message is a JSON object, not \(value.kindName); batches are not supported")
        }
        guard members["jsonrpc"] == .string("2.0") else {
            throw .invalidRequest("the member “jsonrpc” has to be \"2.0\"")
        }
        self = try RPCMessage(members: members)
    }

    private init(members: [String: JSONValue]) throws(RPCError) {
        let id = members["id"]
        switch id {
        case nil, .null, .string, .integer: break
        default: throw .invalidRequest("the member “id” has to be a string or an integer")
        }
        if let method = members["method"] {
            guard case .string(let name) = method else {
                throw .invalidRequest("the member “method” has to be a string, not \(method.kindName)")
            }
            self = .request(id: id == .null ? nil : id, method: name, params: members["params"])
        } else if let error = members["error"], let decoded = try? error.decoded(as: RPCError.self) {
            self = .error(id: id ?? .null, decoded)
        } else if let result = members["result"], let id {
            self = .result(id: id, result)
        } else {
            throw .invalidRequest("a message has a “method”, or an “id” with a “result” or an “error”")
        }
    }

    /// The line that carries the message, newline included.
    package var line: [UInt8] {
        var members: [String: JSONValue] = ["jsonrpc": .string("2.0")]
        switch self {
        case .request(let id, let method, let params):
            members["id"] = id
            members["method"] = .string(method)
            members["params"] = params
        case .result(let id, let result):
            members["id"] = id
            members["result"] = result
        case .error(let id, let error):
            members["id"] = id
            members["error"] = .object(["code": .integer(error.code), "message": .string(error.message)])
        }
        return Array(JSONValue.object(members).text.utf8) + [UInt8(ascii: "\n")]
    }
}
