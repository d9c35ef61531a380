import Console
import ControlClient
import ControlProtocol
import Core
import Glibc
import Primitives

/// `hoot` without a command.
enum ConsoleCommand {
    static func run(_ invocation: Invocation) throws -> Int32 {
        guard invocation.operands.count <= 1 else {
            throw UsageError("\(invocation.operands[0].quoted) is not a command\(hint(invocation.operands[0]))")
        }
        if let address = invocation.operands.first {
            guard address == "-" || address.contains("://") || SavedRooms.contain(address, in: .current()) else {
                throw UsageError("\(address.quoted) is neither a command nor a saved room\(hint(address))")
            }
            try JoinCommand.join(address, ["muted": .bool(false)])
        }
        return try open(
            plain: invocation.has("plain"), isASCII: invocation.has("ascii"), detail: try detail(invocation))
    }

    private static func detail(_ invocation: Invocation) throws(UsageError) -> LineDetail {
        guard let word = invocation.options["detail"] else { return .normal }
        guard let detail = LineDetail(rawValue: word) else {
            throw UsageError("--detail: \(LineDetail.names), not \(word.quoted)")
        }
        return detail
    }

    /// The command that a mistyped word may have meant.
    private static func hint(_ word: String) -> String {
        Commands.nearest(to: word).map { " (did you mean \($0)?)" } ?? ""
    }

    /// Opens the console on the user's core, which is started if none runs.
    static func open(plain: Bool, isASCII: Bool = false, detail: LineDetail = .normal) throws -> Int32 {
        _ = try CoreLauncher(directories: .current()).connectOrStart()
        var options = ConsoleOptions(directories: .current(), version: CoreVersion.current)
        options.isASCII = isASCII
        options.detail = detail
        options.pulseServer = getenv("PULSE_SERVER").map { String(cString: $0) }
        let doctor = Doctor(directories: .current())
        if doctor.isFirstRun, !plain {
            options.findings = doctor.examine(problems: try? Session.attach().state().problems)
        }
        options.display = getenv("DISPLAY").map { String(cString: $0) }
        return plain ? try LineMode(options: options).run() : try runScreen(options)
    }

    /// Opens the console on a demonstration, for `seconds` or until it is left.
    static func open(_ demo: Demo, seconds: Int?, isASCII: Bool) throws -> Int32 {
        var options = ConsoleOptions(directories: demo.directories, version: CoreVersion.current)
        options.isASCII = isASCII
        options.end = seconds.map { .now() + .seconds($0) }
        return try runScreen(options, says: false)
    }

    private static func runScreen(_ options: ConsoleOptions, says: Bool = true) throws -> Int32 {
        guard isatty(0) == 1, isatty(1) == 1 else {
            throw UserFacingError(
                "the console needs a terminal", why: "standard input or output is none",
                remedy: "use hoot --plain, hoot status or hoot ctl")
        }
        let line: String?
        do throws(UserFacingError) {
            line = try ConsoleApplication(options: options).run()
        } catch {
            Output.error("\(error); here is hoot --plain")
            return try LineMode(options: options).run()
        }
        if says, let line { Output.line(line) }
        return 0
    }
}
