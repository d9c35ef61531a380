import ControlClient
import ControlProtocol
import Core
import Primitives

/// `hoot` without a command.
enum ConsoleCommand {
    static func run(_ invocation: Invocation) throws -> Int32 {
        if let address = invocation.operands.first { try JoinCommand.join(address, ["muted": .bool(false)]) }
        return try open(plain: invocation.has("plain"))
    }

    static func open(_ demo: Demo, seconds: Int?) throws -> Int32 {
        0
    }

    static func open(plain: Bool) throws -> Int32 {
        _ = try CoreLauncher(directories: .current()).connectOrStart()
        return 0
    }
}
