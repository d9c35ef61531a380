import ControlProtocol
import Core
import Glibc
import Primitives

/// The options that `host` and `join` share, and how a link reaches the program without showing in `ps`.
enum JoinOptions {
    static let options = [
        Option("muted", "start with the microphone muted"),
        Option("name", argument: "NAME", "the name that others see"),
        Option("detach", "do not open the console"),
        Option("input", argument: "DEVICE", "the microphone"),
        Option("output", argument: "DEVICE", "the speaker"),
    ]

    static func parameters(_ invocation: Invocation) -> [String: JSONValue?] {
        [
            // With a console there is somebody at the microphone; without one the core decides.
            "muted": invocation.has("muted") ? .bool(true) : detaches(invocation) ? nil : .bool(false),
            "name": invocation.options["name"].map { .string($0) },
            "input": invocation.options["input"].map { .string($0) },
            "output": invocation.options["output"].map { .string($0) },
        ]
    }

    /// Says, beside what scripts read, that a call begins muted where nobody asked for it.
    static func tellMuted(_ result: JSONValue, _ invocation: Invocation) {
        guard result["muted"]?.boolValue == true, !invocation.has("muted") else { return }
        Output.write("The microphone is muted; hoot mute off unmutes it.\n", to: 2)
    }

    /// Whether the console stays closed: asked for, or there is no terminal.
    static func detaches(_ invocation: Invocation) -> Bool {
        invocation.has("detach") || isatty(0) != 1 || isatty(1) != 1
    }

    /// The address that `word` names: itself, or for `-` the first line of standard input. What is neither a link nor a
    /// saved room is refused, so that a slip starts no core.
    static func address(_ word: String) throws -> String {
        let address = word == "-" ? try lineOfInput() : word
        guard address.contains("://") || SavedRooms.contain(address, in: .current()) else {
            throw UserFacingError(
                "no saved room \(address.quoted)", why: "it was never joined or hosted here",
                remedy: "give a link (https://…) or one of the rooms that `hoot status` lists")
        }
        return address
    }

    private static func lineOfInput() throws -> String {
        guard let line = readLine(), !line.allSatisfy(\.isWhitespace) else {
            throw UsageError("standard input has no line with a link")
        }
        return String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
