import ControlClient
import ControlProtocol
import Core
import Primitives

/// A command's way to the core.
struct Session {
    let connection: CoreConnection

    /// Connects to the running core; throws `ClientError.noCore` when none runs.
    static func attach() throws -> Session {
        guard let connection = try CoreLauncher(directories: .current()).connect() else { throw ClientError.noCore }
        return try Session(greeting: connection)
    }

    /// Connects, starting a core if none runs.
    static func attachOrStart() throws -> Session {
        try Session(greeting: CoreLauncher(directories: .current()).connectOrStart())
    }

    private init(greeting connection: CoreConnection) throws {
        self.connection = connection
        let greeting = try connection.greet(version: CoreVersion.current)
        if greeting.isFrozenOnly { Output.error(greeting.mismatchText) }
    }

    /// Calls `method`; parameters that are `nil` are left out. Joining may take as long as its own time-outs.
    @discardableResult
    func call(_ method: String, _ params: [String: JSONValue?] = [:], within limit: Duration = .seconds(10)) throws
        -> JSONValue
    {
        try connection.call(method, params.compactMapValues { $0 }, within: limit)
    }

    /// The core's state.
    func state() throws -> CoreState {
        guard let state = try call("core.state")["state"] else {
            throw ClientError.lost("it answered core.state with something else")
        }
        return try state.decoded()
    }
}
