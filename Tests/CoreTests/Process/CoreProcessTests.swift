import ControlClient
import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

/// The core as a process: that it is alone, detached and hard to lose.
@Suite(.serialized) struct CoreProcessTests {
    private let hoot: HootProgram

    init() throws {
        hoot = try HootProgram()
    }

    @Test func theCoreDetachesFully() throws {
        // A descriptor that children inherit.
        let stray = open("/dev/zero", O_RDONLY)
        defer { close(stray) }
        // `script` gives the program a controlling terminal.
        let command = "'\(HootProgram.path)' core"
        let script = try ChildProcess(
            ["script", "-qec", command, "/dev/null"], environment: hoot.environment)
        #expect(script.wait() == 0)
        let pid = try #require(hoot.corePID)
        let fields = try proc(pid, "stat").split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
        try #require(fields.count > 5)
        #expect(fields[3] == "\(pid)", "it has a session of its own")
        #expect(fields[4] == "0", "it has no controlling terminal")
        #expect(link(pid, "cwd") == "/")
        let open = descriptors(of: pid)
        #expect(open[0] == "/dev/null")
        #expect(open[1] == "/dev/null")
        #expect(open[2] == hoot.directories.logPath)
        #expect(!open.values.contains { $0 == "/dev/zero" || $0.hasPrefix("/dev/pts") || $0.hasPrefix("/dev/tty") })
        let status = try proc(pid, "status")
        #expect(status.contains("SigBlk:\t0000000000000000"))
    }

    @Test func startsTogetherEndAtOneCore() throws {
        let (reader, writer) = try makePipe()
        defer { close(reader) }
        let starts = try (0..<8).map { _ in try hoot.start("core", output: writer, log: writer) }
        close(writer)
        #expect(starts.map { $0.wait() } == Array(repeating: 0, count: 8))
        var text = [UInt8](repeating: 0, count: 65536)
        let count = read(reader, &text, text.count)
        let lines = String(decoding: text[..<max(count, 0)], as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 8)
        #expect(Set(lines).count == 1, "\(lines)")
    }

    @Test func aProbeNeverKeepsACoreFromItsLock() throws {
        try hoot.directories.prepareState()
        for index in 0..<200 {
            // A file of its own each time: a program that another test starts holds the last one for a moment.
            let path = "\(hoot.directories.lockPath).\(index)"
            // Many look while one takes it.
            let looking = (0..<4).map { _ in Thread { _ = CoreLock.owner(lockPath: path) } }
            for thread in looking { thread.start() }
            if try CoreLock(lockPath: path, socketPath: "/s") == nil { Issue.record("the lock was free") }
        }
    }

    @Test func hangingUpDoesNotEndIt() throws {
        #expect(try hoot.run("core").status == 0)
        let pid = try #require(hoot.corePID)
        let connection = try hoot.attach()
        kill(pid, SIGHUP)
        kill(pid, SIGPIPE)
        #expect(try connection.state().core.pid == Int(pid))
    }

    @Test func aVanishedRuntimeDirectoryIsMadeAnew() throws {
        #expect(try hoot.run("core").status == 0)
        let pid = try #require(hoot.corePID)
        try FileManager.default.removeItem(atPath: hoot.directories.runtime)
        // The very next command finds it, without starting another.
        let status = try hoot.run("status", "--json")
        #expect(status.output.contains("\"pid\":\(pid)"), "\(status)")
        #expect(mode(hoot.directories.runtime) == 0o700)
        #expect(mode(hoot.directories.socketPath) == 0o600)
    }

    @Test func anotherEnvironmentFindsTheOneCore() throws {
        #expect(try hoot.run("core").status == 0)
        let pid = try #require(hoot.corePID)
        hoot.environment["HOOT_RUNTIME_DIR"] = hoot.base.path + "/elsewhere"
        hoot.environment["XDG_RUNTIME_DIR"] = hoot.base.path + "/xdg"
        let started = MonoTime.now()
        let outcome = try hoot.run("core")
        #expect(outcome.output.contains("pid \(pid)"))
        #expect(MonoTime.now() - started < .seconds(1))
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsItInACall(signal: Int32) throws {
        try hostRoom()
        let pid = try #require(hoot.corePID)
        let connection = try hoot.attach()
        kill(pid, signal)
        #expect(connection.ends(within: .seconds(2)))
        #expect(holds(within: .seconds(1)) { hoot.corePID == nil })
        #expect(access(hoot.directories.socketPath, F_OK) != 0, "the socket goes with it")
    }

    @Test func coreStopEndsItInACall() throws {
        try hostRoom()
        let started = MonoTime.now()
        let outcome = try hoot.run("core", "stop")
        #expect(outcome.status == 0)
        #expect(MonoTime.now() - started < .seconds(2))
        #expect(holds(within: .seconds(1)) { hoot.corePID == nil })
        #expect(try hoot.run("core", "stop").output == "no core is running\n")
    }

    /// Asking it once more would not help.
    @Test func aCoreThatDoesNotAnswerIsNamedByItsPid() throws {
        #expect(try hoot.run("core").status == 0)
        let pid = try #require(hoot.corePID)
        kill(pid, SIGSTOP)
        defer { kill(pid, SIGCONT) }
        let outcome = try hoot.run("core", "stop")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("its pid is \(pid); `kill \(pid)` ends it"), "\(outcome.errors)")
    }

    @Test func aKilledCoreLeavesNothingInTheWay() throws {
        #expect(try hoot.run("core").status == 0)
        let pid = try #require(hoot.corePID)
        let connection = try hoot.attach()
        kill(pid, SIGKILL)
        #expect(connection.ends(within: .seconds(2)))
        #expect(access(hoot.directories.socketPath, F_OK) == 0, "the stale socket is there")
        #expect(holds(within: .seconds(2)) { hoot.corePID == nil })
        #expect(try hoot.run("status").output == "no core is running\n")
        let outcome = try hoot.run("core")
        #expect(outcome.status == 0)
        #expect(hoot.corePID != pid)
    }

    @Test func nobodyElseReadsItsFiles() throws {
        let careless = ["sh", "-c", "umask 0; exec \"$0\" \"$@\""]
        let outcome = try hoot.run("host", "test", "--listen=127.0.0.1:0", "--detach", prefix: careless)
        #expect(outcome.status == 0)
        for directory in [hoot.directories.runtime, hoot.directories.state, hoot.directories.configuration] {
            #expect(mode(directory) == 0o700, "\(directory)")
            for file in try FileManager.default.contentsOfDirectory(atPath: directory) {
                #expect((mode("\(directory)/\(file)") ?? 0o777) & 0o077 == 0, "\(directory)/\(file)")
            }
        }
    }

    @Test func theLogIsTurnedOverWithStandardError() throws {
        try hoot.directories.prepareState()
        try hoot.directories.prepareConfiguration()
        try Data("[log]\nkilobytes=16\n".utf8).write(to: URL(fileURLWithPath: hoot.directories.settingsPath))
        let old = String(repeating: "an old line\n", count: 1400)
        try Data(old.utf8).write(to: URL(fileURLWithPath: hoot.directories.logPath))
        #expect(try hoot.run("core").status == 0)
        let pid = try #require(hoot.corePID)
        let log = try String(contentsOfFile: hoot.directories.logPath, encoding: .utf8)
        #expect(log.contains("serves") && !log.contains("an old line"))
        #expect(try String(contentsOfFile: hoot.directories.logPath + ".1", encoding: .utf8).hasPrefix("an old line"))
        #expect(descriptors(of: pid)[2] == hoot.directories.logPath, "libraries write to the new file")
    }

    /// A call that lasts.
    private func hostRoom() throws {
        let outcome = try hoot.run("host", "test", "--listen=127.0.0.1:0", "--detach")
        try #require(outcome.status == 0, "\(outcome)")
    }

    private func proc(_ pid: Int32, _ name: String) throws -> String {
        try String(contentsOfFile: "/proc/\(pid)/\(name)", encoding: .utf8)
    }

    private func link(_ pid: Int32, _ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/\(name)")
    }

    private func descriptors(of pid: Int32) -> [Int: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                Int(name).flatMap { number in link(pid, "fd/\(name)").map { (number, $0) } }
            })
    }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
