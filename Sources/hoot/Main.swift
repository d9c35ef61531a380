import Console
import ControlClient
import Core
import Glibc
import Primitives

@main
enum Main {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments.dropFirst().map { String($0) }
        exit(run(words))
    }

    private static let options = [
        Option("plain", "line mode: sentences and typed verbs, no screen"),
        Option("version", short: "V", "show the versions of hoot and of its libraries"),
        Help.option,
    ]

    private static func run(_ words: [String]) -> Int32 {
        do {
            let invocation = try Invocation(words: words, options: options, stopsAtOperand: true)
            if invocation.has("help") {
                Output.write(Help.overview(Commands.all, options: options), to: 1)
                return 0
            }
            if invocation.has("version") { return VersionCommand.run() }
            guard let name = invocation.operands.first, let command = Commands.named(name) else {
                return try ConsoleCommand.run(invocation)
            }
            return try run(command, words: Array(invocation.operands.dropFirst()))
        } catch let error as UsageError {
            Output.error("\(error); `hoot --help` shows how")
            return 2
        } catch {
            Output.error("\(error)")
            return 1
        }
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
                "\(command.name): " + (isTooFew ? "something is missing" : "too many words") + ": usage: hoot "
                    + "\(command.name) \(command.operands)")
        }
        return try command.run(invocation)
    }
}
