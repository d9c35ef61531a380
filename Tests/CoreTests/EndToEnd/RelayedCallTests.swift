import ControlProtocol
import Foundation
import Primitives
import TestSupport
import Testing

/// Real cores that may use nothing but a real TURN server.
@Suite(.serialized) struct RelayedCallTests {
    private static let uri = "hoot:b%40d%3As%25cret"

    /// The lines under `[network]` for media over this server only.
    private static func relayOnly(_ turn: TurnServer, _ server: String) -> [String: [String]] {
        ["network": ["ice-policy=relay", "turn-ca=\(turn.certificateFile)", "ice-servers=\(server)"]]
    }

    @Test func tonesAreHeardOverARelay() throws {
        let turn = try TurnServer()
        let pair = try TonePair(
            settings: Self.relayOnly(turn, "turns:\(Self.uri)@127.0.0.1:\(turn.securePort)"))
        #expect(try pair.a.wait { $0.people.first?.path == "relay (tls) → relay udp" })
        #expect(pair.a.people.first?.isRelayed == true)
        #expect(pair.hearEachOther())
    }

    @Test func aGuestWithoutServersUsesThoseOfTheRoom() throws {
        let turn = try TurnServer(sharedSecret: "north")
        let a = try SoundingCore(
            "a", pulse: nil,
            settings: ["network": ["turn-secret=north", "ice-servers=turn:127.0.0.1:\(turn.port)?transport=tcp"]])
        let b = try SoundingCore("b", pulse: nil, settings: ["network": ["ice-policy=relay"]])
        try b.join(try a.host("room"))
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        #expect(try b.wait { $0.people.first?.path?.hasPrefix("relay (tcp) → ") == true })
    }

    @Test func aServerThatRefusesIsNamedAndItsSecretIsNot() throws {
        let turn = try TurnServer()
        let a = try SoundingCore(
            "a", pulse: nil, settings: ["network": ["ice-servers=turn:hoot:hush@127.0.0.1:\(turn.port)"]])
        let b = try SoundingCore("b", pulse: nil)
        try b.join(try a.host("room"))
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        let isNamed = try a.wait { core in
            core.events.contains { $0.kind == .warning && $0.text.contains("does not take these credentials") }
        }
        #expect(isNamed)
        let shown = try a.call("settings.get", ["name": .string("network.ice-servers")])
        #expect(shown == .array([.string("turn:hoot:…@127.0.0.1:\(turn.port)")]))
        let log = try String(contentsOfFile: a.program.directories.logPath, encoding: .utf8)
        #expect(!log.contains("hush"))
    }

    @Test func relayOnlyWithoutAServerSaysWhatIsMissing() throws {
        let a = try SoundingCore("a", pulse: nil, settings: ["network": ["ice-policy=relay"]])
        let b = try SoundingCore("b", pulse: nil)
        let link = try b.host("room")
        _ = try? a.join(link)
        let isSaid = try a.wait { core in
            core.events.contains { $0.kind == .warning && $0.text.contains("no TURN server is known") }
        }
        #expect(isSaid)
    }

    @Test func theDoctorAsksEachServer() throws {
        let turn = try TurnServer()
        let program = try HootProgram()
        let servers = [
            "stun:127.0.0.1:\(turn.port)", "turns:\(Self.uri)@127.0.0.1:\(turn.securePort)",
            "turn:hoot:hush@127.0.0.1:\(turn.port)", "stun:no-such-name.invalid",
        ]
        try program.directories.prepareConfiguration()
        let path = program.directories.settingsPath
        let lines = ["[network]", "ice-servers=" + servers.joined(separator: ","), "turn-ca=\(turn.certificateFile)"]
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let output = try program.run("doctor").output
        #expect(output.contains("stun:127.0.0.1:\(turn.port): answers in "))
        #expect(output.contains("turns:127.0.0.1:\(turn.securePort): answers in "))
        #expect(output.contains("relays from 127.0.0.1"))
        #expect(output.contains("turn:127.0.0.1:\(turn.port): does not take these credentials"))
        #expect(output.contains("stun:no-such-name.invalid: its name is not known"))
        #expect(!output.contains("hush"))
        let isOpen = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
        #expect((isOpen & 0o044 != 0) == output.contains("chmod 600 \(path)"))
    }
}
