import Foundation
import TestSupport
import Testing

/// `make test`, with a program in the place of `swift` that leaves a process behind.
@Suite struct MakefileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory("hoot-make")
        try FileManager.default.createDirectory(atPath: directory.path + "/.build", withIntermediateDirectories: true)
    }

    /// Runs `script` as the tests; returns the exit status and what was printed.
    private func makeTest(_ script: String, temporary: String) throws -> (status: Int32, text: String) {
        let program = directory.path + "/swift"
        try "#!/bin/sh\n[ \"$1\" = test ] || exit 0\n\(script)\n"
            .write(toFile: program, atomically: true, encoding: .utf8)
        chmod(program, 0o755)
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let path = directory.path + "/output"
        let output = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(output) }
        var environment = ConsoleProcess.environment(in: directory)
        environment["TMPDIR"] = temporary
        // Nothing is installed here, whatever is missing.
        let make = try ChildProcess(
            [
                "make", "-s", "-C", directory.path, "-f", root + "/Makefile", "SWIFT=\(program)", "TEST_PACKAGES=",
                "test",
            ], environment: environment, output: output, log: output)
        return (make.wait(), try String(contentsOfFile: path, encoding: .utf8))
    }

    @Test func theGateEndsWithItsTests() throws {
        let mark = directory.path + "/outlived"
        let left = "(sleep 120; touch \(mark)) & echo left $!; echo in $TMPDIR"
        let (status, text) = try makeTest(left, temporary: "/var/tmp")
        #expect(status == 0, "\(text)")
        #expect(access(mark, F_OK) != 0, "the gate waited for what was left")
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(words.count == 4 && words[2] == "in", "\(text)")
        #expect(words[3].hasPrefix("/var/tmp/hoot.") && access(words[3], F_OK) != 0)
        let pid = try #require(Int32(words[1]))
        #expect(kill(pid, 0) != 0 || state(of: pid) == "Z", "what it left does not run on")
    }

    private func state(of pid: Int32) -> Substring? {
        (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: " ").dropFirst(2).first
    }

    @Test func failuresAreToldAgainAndFailTheGate() throws {
        let (status, text) = try makeTest("echo '✘ it broke'; echo more; exit 1", temporary: "/tmp")
        #expect(status != 0)
        #expect(text.split(separator: "\n").filter { $0.contains("✘ it broke") }.count == 2, "\(text)")
    }

    @Test func socketsDoNotFitInALongFolder() throws {
        let long = directory.path + "/" + String(repeating: "x", count: 40)
        try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
        let (status, text) = try makeTest("echo in $TMPDIR", temporary: long)
        #expect(status == 0 && text.contains("TMPDIR is too long") && text.contains("in /tmp/hoot."), "\(text)")
    }
}
