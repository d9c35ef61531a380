import Foundation
import TestSupport
import Testing

/// A user who has never started it, at a real terminal.
@Suite(.serialized)
struct FirstRunTests {
    @Test func theFirstScreenTellsWhatTheDoctorTells() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let console = try ConsoleProcess([], in: directory, rows: 40, columns: 120)
        defer { console.send(SIGTERM) }
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let screen = console.screen { $0.lines.contains { $0.contains("as hoot doctor sees it") } }
        #expect(
            screen.lines.contains { $0.contains("  o  opens a room here") }, "\(screen.lines.joined(separator: "\n"))")
        #expect(screen.lines.contains { $0.contains("  l  joins a room by the link") })
        let doctor = try Self.output(of: ["doctor"], in: directory).split(separator: "\n").map(String.init)
        for line in doctor where line.hasPrefix("missing ") {
            let parts = line.dropFirst("missing ".count).split(separator: ":", maxSplits: 1)
            let beginning = parts[1].split(separator: " ").prefix(4).joined(separator: " ")
            #expect(
                screen.lines.contains { $0.contains("! \(parts[0])") && $0.contains(beginning) },
                "\(line) is not in\n\(screen.lines.joined(separator: "\n"))")
        }
        #expect(doctor.contains { $0.hasPrefix("missing sound server: none listens at /nonexistent/pulse") })
        // With a room to go back to the screen is another one.
        #expect(try ConsoleProcess.run(["host", "den", "--listen", "127.0.0.1:0", "--detach"], in: directory) == 0)
        #expect(console.screen { $0.lines[0].contains("1 in call") }.lines[0].contains("den @"))
        console.terminal.type("ql")
        #expect(console.wait() == 0)
        let second = try ConsoleProcess([], in: directory, rows: 40, columns: 120)
        defer { second.send(SIGTERM) }
        #expect(
            second.screen { $0.lines.contains { $0.contains("> 1 den") } }.lines.contains { $0.contains("> 1 den") })
    }

    @Test func aSettingThatIsChangedOnThePageIsInTheFileBesideItsComments() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let path = directory.path + "/config/hoot.conf"
        try FileManager.default.createDirectory(atPath: directory.path + "/config", withIntermediateDirectories: true)
        let file =
            "# who I am\n[person]\n# as the others know me\nname = ann\n\n[call]\n# be quick\nanswer-interval = 20\n"
        try Data(file.utf8).write(to: URL(fileURLWithPath: path))
        let console = try ConsoleProcess([], in: directory)
        defer { console.send(SIGTERM) }
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        func shows(_ words: String) -> Bool {
            console.screen { $0.lines.contains { $0.contains(words) } }.lines.contains { $0.contains(words) }
        }
        #expect(shows("P settings"))
        console.terminal.type(":settings\r")
        #expect(shows("> name                  ann"))
        console.terminal.type("\r\u{15}Ann B.\r")
        #expect(shows("> name                  Ann B."))
        console.terminal.type("\r\u{15}\(String(repeating: "x", count: 300))\r")
        #expect(shows("a name of at most"))
        console.terminal.type("\u{1B}")
        let left = console.screen { !$0.lines.contains { $0.contains("person.name (") } }
        #expect(
            left.lines.contains { $0.contains("> name                  Ann B.") }, "what was refused changed nothing")
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n").map { $0.replacingOccurrences(of: " = ", with: "=") }
        }
        let written = try String(contentsOfFile: path, encoding: .utf8)
        #expect(lines(written) == lines(file.replacingOccurrences(of: "name = ann", with: "name = Ann B.")))
    }

    /// What `hoot` with `arguments` writes.
    private static func output(of arguments: [String], in directory: TemporaryDirectory) throws -> String {
        let (reader, writer) = try makePipe()
        let child = try ChildProcess(
            [ConsoleProcess.program] + arguments, environment: ConsoleProcess.environment(in: directory),
            output: writer)
        close(writer)
        let output = FileHandle(fileDescriptor: reader, closeOnDealloc: true).readDataToEndOfFile()
        _ = child.wait()
        return String(decoding: output, as: UTF8.self)
    }
}
