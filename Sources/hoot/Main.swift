import Console
import ControlClient
import ControlProtocol
import Core
import Glibc
import Primitives

@main
enum Main {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments.dropFirst().map { String($0) }
        if let number = ProcessArguments.unreadable { exit(fail("word \(number) of the command is not UTF-8", 2)) }
        ProcessArguments.hideSecrets()
        exit(run(words))
    }

    static let options = [
        Option("plain", "line mode: sentences and typed verbs, no screen"),
        Option("detail", argument: "HOW", "how much --plain tells: \(LineDetail.names) (normal)"),
        Option("ascii", "the screen keeps to ASCII, whatever the locale says"),
        Option("version", short: "V", "show the versions of hoot and of its libraries"),
        Help.option,
    ]

    private static func run(_ words: [String]) -> Int32 {
        do throws(UsageError) {
            let invocation = try Invocation(words: words, options: options, stopsAtOperand: true)
            if invocation.has("help") {
                return try help(with: nil)
            }
            if invocation.has("version") { return VersionCommand.run() }
            if invocation.operands.first == "help", invocation.operands.count <= 2 {
                return try help(with: invocation.operands.dropFirst().first)
            }
            guard let name = invocation.operands.first, let command = Commands.named(name) else {
                return ending(nil) { try ConsoleCommand.run(invocation) }
            }
            let own = words.prefix(words.count - invocation.operands.count).filter { $0 != "--" }
            return ending(name) { try run(command, words: own + invocation.operands.dropFirst()) }
        } catch {
            return fail("\(error); `hoot --help` shows how", 2)
        }
    }

    private static func help(with name: String?) throws(UsageError) -> Int32 {
        guard let name else {
            Output.write(Help.overview(Commands.all, options: options), to: 1)
            return 0
        }
        guard let command = Commands.named(name) else { throw UsageError("no command \(name.quoted)") }
        Output.write(command.help, to: 1)
        return 0
    }

    private static func run(_ command: Command, words: [String]) throws -> Int32 {
        let invocation = try Invocation(
            words: words, options: command.options + [Help.option], stopsAtOperand: command.takesWordsAsTheyAre)
        if invocation.has("help") {
            Output.write(command.help, to: 1)
            return 0
        }
        guard command.operandCount.contains(invocation.operands.count) else {
            let isTooFew = invocation.operands.count < command.operandCount.lowerBound
            throw UsageError(
                (isTooFew
                    ? "\(command.operands) is missing"
                    : "too many words: "
                        + invocation.operands.dropFirst(command.operandCount.upperBound).joined(separator: " ")))
        }
        return try command.run(invocation)
    }

    /// The exit status of `body`, what it threw told on standard error as `hoot: what: why; what to do`.
    private static func ending(_ command: String?, _ body: () throws -> Int32) -> Int32 {
        let what = command.map { "\($0): " } ?? ""
        do {
            return try body()
        } catch let error as UsageError {
            return fail("\(what)\(error); `hoot \(command.map { "\($0) " } ?? "")--help` shows how", 2)
        } catch ClientError.refused(let error) where error.isMisuse {
            return fail("\(what)\(error)", 2)
        } catch {
            return fail("\(what)\(error)", 1)
        }
    }

    private static func fail(_ text: String, _ status: Int32) -> Int32 {
        Output.error(text)
        return status
    }
}
