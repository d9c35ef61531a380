import ControlProtocol
import Core
import Primitives

/// `hoot demo`.
enum DemoCommand {
    static let command = Command(
        name: "demo", operands: "", summary: "a room with simulated guests; needs no sound card and no network",
        options: [
            Option("guests", argument: "N", "how many guests, 1 to 7 (3)"),
            Option("seconds", argument: "N", "end after so many seconds"),
            Option("ascii", "the screen keeps to ASCII, whatever the locale says"),
            Option("headless", "no console: run, then print what was measured"),
            Option("json", "with --headless: the whole report as JSON"),
            Option("break-keys", "the guests use wrong keys: the checks have to fail"),
        ],
        run: { invocation in
            var options = Demo.Options()
            options.guestCount = try number(invocation, "guests", 1...7) ?? 3
            options.breaksKeys = invocation.has("break-keys")
            let seconds = try number(invocation, "seconds", 1...86_400)
            let least = Int(Demo.leastTime(guestCount: options.guestCount).seconds.rounded(.up))
            if invocation.has("headless"), let seconds, seconds < least {
                throw UsageError(
                    "--seconds: at least \(least) with so many guests, so that each has talked, not \(seconds)")
            }
            let demo = try Demo(options)
            defer { demo.stop() }
            guard invocation.has("headless") else {
                return try ConsoleCommand.open(demo, seconds: seconds, isASCII: invocation.has("ascii"))
            }
            let report = demo.report(after: .seconds(seconds ?? max(10, least)))
            let verdict = report.isPassed ? "passed" : (["failed:"] + report.failures).joined(separator: "\n  ")
            Output.line(invocation.has("json") ? report.json : verdict)
            return report.isPassed ? 0 : 1
        })

    private static func number(_ invocation: Invocation, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = invocation.options[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(
                "--\(name): a whole number from \(range.lowerBound) to \(range.upperBound), not \(text.quoted)")
        }
        return value
    }
}
