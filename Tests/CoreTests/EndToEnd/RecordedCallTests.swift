import ControlClient
import ControlProtocol
import Devices
import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

/// Recordings of real calls, judged by what is in their files.
@Suite(.serialized) struct RecordedCallTests {
    /// What `hoot record` printed behind its colon.
    private func record(_ core: SoundingCore, _ words: String...) throws -> String {
        let outcome = try core.program.run(words: ["record"] + words)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: ": ").dropFirst().joined(separator: ": ").trimmingCharacters(
            in: .newlines)
    }

    private func isWritten(_ path: String, by core: SoundingCore) throws -> Bool {
        try core.wait { $0.events.contains { $0.kind == .recording && $0.text.hasSuffix("of the call in \(path)") } }
    }

    /// How many tenths of a second have exactly these tones.
    private func tenths(_ samples: [Float], with tones: Set<Double>) -> Int {
        ToneMeter(samples).tenths.count { tenth in
            [TonePair.hzOfA, TonePair.hzOfB].allSatisfy { hz in
                let amplitude = tenth.amplitude(atHz: hz)
                return tones.contains(hz) ? amplitude > 0.1 : amplitude < 0.02
            }
        }
    }

    /// Grows until it has `seconds` more of sound in it.
    private func lasts(_ seconds: Int, _ core: SoundingCore) throws -> Bool {
        for _ in 0..<seconds { _ = try core.nextStatistics() }
        return core.state.calls.values.contains { $0.recording != nil }
    }

    @Test func bothAreInItAndWhoIsMutedIsNot() throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        let path = try record(pair.b)
        #expect(path.hasPrefix(pair.b.program.directories.recordingsPath + "/") && path.hasSuffix(" room.opus"))
        #expect(try pair.b.wait { $0.state.calls.values.first?.recording?.path == path })
        #expect(try pair.a.wait { $0.people.first?.isRecording == true })
        #expect(try pair.a.wait { $0.events.contains { $0.text == "b records the call" } })
        #expect(try pair.b.program.run("status").output.contains("recorded here in \(path)"))
        try #require(try lasts(4, pair.b))
        try pair.b.call("audio.deafen", ["on": .bool(true)])
        try pair.b.call("audio.mute", ["on": .bool(true)])
        try #require(pair.earA.fallsSilent())
        try #require(try lasts(4, pair.b))
        try pair.b.call("call.leave")
        #expect(try isWritten(path, by: pair.b))
        // Whoever is deafened records what the others say still.
        let samples = try SoundFileReader.samples(of: path)
        let (both, one) = (
            tenths(samples, with: [TonePair.hzOfA, TonePair.hzOfB]), tenths(samples, with: [TonePair.hzOfA])
        )
        #expect(both >= 15 && one >= 15, "\(both) and \(one) of \(samples.count / 4800)")
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
    }

    @Test func itEndsByWishAndTheOthersAreTold() throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        let file = pair.a.program.base.path + "/talk.wav"
        #expect(try record(pair.a, "on", "--file", file) == file)
        try #require(try pair.b.wait { $0.people.first?.isRecording == true })
        try #require(try lasts(3, pair.a))
        #expect(try record(pair.a, "off") == file)
        #expect(try pair.b.wait { $0.people.first?.isRecording == nil })
        #expect(try pair.b.wait { $0.events.contains { $0.kind == .memberRecordingOff } })
        #expect(try isWritten(file, by: pair.a))
        let length = try SoundFileReader.samples(of: file).count
        #expect(length > 48_000)
        #expect(try pair.a.waitForPeople(1))
        for (words, part) in [
            (["on", "--file", file], "nothing is overwritten"),
            (["off", "--file", file], "only a recording that begins"),
            (["on", "--file", pair.a.program.base.path + "/a.mp3"], "let its name end in one of"),
            (["on", "--file", pair.a.program.base.path + "/none/a.wav"], "make its folder first"),
        ] {
            let refused = try pair.a.program.run(words: ["record"] + words)
            #expect(refused.status == 1 && refused.errors.contains(part), "\(refused.errors)")
        }
        #expect(try SoundFileReader.samples(of: file).count == length)
        try pair.a.call("call.leave")
        #expect(try pair.a.program.run("record").errors.contains("there is no call to record"))
    }

    @Test func itEndsWhenAnotherCallTakesTheDevices() throws {
        let (a, b) = (try SoundingCore("a", pulse: nil), try SoundingCore("b", pulse: nil))
        try b.join(try a.host("room"))
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        let path = try record(a)
        try #require(try b.wait { $0.people.first?.isRecording == true })
        let recorded = a.state.activeCall
        _ = try a.host("other")
        #expect(try b.wait { $0.people.first?.isRecording == nil })
        #expect(try isWritten(path, by: a))
        #expect(a.events.last { $0.kind == .recording }?.call == recorded)
        #expect(try a.wait { $0.state.calls.count == 2 && $0.state.calls.values.allSatisfy { $0.recording == nil } })
        #expect(try record(a) != path, "the other call has a file of its own")
    }

    /// A file system of four seconds.
    @Test func aFullDiskEndsItAloneAndWhatIsThereStays() throws {
        let network = try NetworkNamespace(multicastNames: false)
        let (a, b) = (
            try SoundingCore("a", pulse: nil, network: network), try SoundingCore("b", pulse: nil, network: network)
        )
        let folder = a.program.base.path + "/small"
        mkdir(folder, 0o700)
        let mount = try ChildProcess(
            network.prefix + ["mount", "-t", "tmpfs", "-o", "size=400k", "none", folder],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        try #require(mount.wait() == 0)
        try b.join(try a.host("room"))
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        try a.call("call.record", ["file": .string(folder + "/a.wav")])
        #expect(try b.wait { $0.people.first?.isRecording == true })
        #expect(
            try a.wait(within: .seconds(30)) { core in
                core.events.contains { $0.kind == .warning && $0.text.contains("No space left on device") }
            })
        #expect(try b.wait { $0.people.first?.isRecording == nil })
        #expect(try a.wait { $0.state.calls.values.first?.recording == nil })
        let pid = try #require(a.program.corePID)
        #expect(try SoundFileReader.samples(of: "/proc/\(pid)/root\(folder)/a.wav").count > 48_000)
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
    }

    @Test func everyKindOfFileIsNamed() throws {
        let help = try HootProgram().run("record", "--help").output
        let parameter = try #require(Method.named("call.record")?.parameters.first { $0.name == "file" })
        for format in SoundFileFormat.allCases {
            #expect(help.contains(".\(format.rawValue)") && parameter.summary.contains(".\(format.rawValue)"))
        }
    }

    /// One thread stands still as if its disk were away.
    @Test func aDiskThatDoesNotAnswerHoldsNobody() throws {
        // In the network's user namespace one may trace what runs there.
        let network = try NetworkNamespace(multicastNames: false)
        let (a, b) = (
            try SoundingCore("a", pulse: nil, network: network), try SoundingCore("b", pulse: nil, network: network)
        )
        try b.join(try a.host("room"))
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        let path = try record(a)
        let pid = try #require(a.program.corePID)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        let thread = try #require(
            tasks.first {
                (try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/comm", encoding: .utf8)) == "recording\n"
            })
        let halt = """
            import ctypes, sys
            seize, interrupt, thread = 0x4206, 0x4207, int(sys.argv[1])
            ptrace = ctypes.CDLL(None).ptrace
            halted = ptrace(seize, thread, None, None) == 0 and ptrace(interrupt, thread, None, None) == 0
            print("halted" if halted else "free", flush=True)
            sys.stdin.read()
            """
        let debugger = try ChildConversation(
            network.prefix + ["/usr/bin/python3", "-c", halt, thread], environment: ["PATH": "/usr/bin:/bin"])
        let answer = try debugger.take(until: Array("\n".utf8), by: .now() + .seconds(20)) ?? []
        try #require(String(decoding: answer, as: UTF8.self) == "halted")
        #expect(try a.program.run("record", "off").output == "record off: \(path)\n")
        #expect(try b.wait { $0.people.first?.isRecording == nil })
        #expect(try a.program.run("core", "stop").status == 0)
        #expect(holds(within: .seconds(20)) { a.program.corePID == nil })
    }

    @Test func aKilledCoreLeavesItReadableAndAStoppedOneWhole() throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        let paths = try [record(pair.a), record(pair.b)]
        try #require(try lasts(5, pair.a) && lasts(1, pair.b))
        kill(try #require(pair.a.program.corePID), SIGKILL)
        kill(try #require(pair.b.program.corePID), SIGTERM)
        #expect(holds(within: .seconds(20)) { pair.b.program.corePID == nil })
        for path in paths {
            let samples = try SoundFileReader.samples(of: path)
            #expect(tenths(samples, with: [TonePair.hzOfA, TonePair.hzOfB]) >= 20, "\(samples.count)")
        }
    }
}
