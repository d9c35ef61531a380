import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling
import TestSupport
import Testing
import Transport

@testable import Core

/// The servers of the settings: shown without secrets, and handed out as the host has said.
@Suite struct ICEServersTests {
    private static let uris = "stun:s.example,turn:u:hush@a.example?transport=tcp,turns:b.example"

    @EngineActor
    private func settings(_ lines: String..., servers: String = uris) throws -> Settings {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/hoot.conf"
        try ("[network]\nice-servers=\(servers)\n" + lines.joined(separator: "\n")).write(
            toFile: path, atomically: true, encoding: .utf8)
        return Settings(path: path)
    }

    @Test @EngineActor func secretsAreShownToNobody() throws {
        let settings = try settings("turn-secret=whisper")
        #expect(settings.warnings.isEmpty)
        #expect(settings.strings("network.ice-servers").count == 3)
        for shown in [settings.shown("network.ice-servers"), settings.all["network.ice-servers"]] {
            #expect(
                shown
                    == .array([
                        .string("stun:s.example"), .string("turn:u:…@a.example?transport=tcp"),
                        .string("turns:b.example"),
                    ]))
        }
        #expect(settings.shown("network.turn-secret") == .string("…"))
        #expect(!JSONValue.object(settings.all).text.contains("hush"))
        #expect(!JSONValue.object(settings.all).text.contains("whisper"))
    }

    @Test @EngineActor func aRefusalDoesNotRepeatTheSecret() throws {
        let settings = try settings()
        for value in ["turn:u:hush@", "turn:u:hush@host?transport=dtls", "turn:u:…@host"] {
            let error = #expect(throws: RPCError.self) {
                try settings.set("network.ice-servers", to: .array([.string(value)]))
            }
            #expect(error?.message.contains("turn:USER:SECRET@HOST") == true)
            #expect(error?.message.contains("hush") == false)
        }
        #expect(throws: RPCError.self) { try settings.set("network.turn-secret", to: .string("…")) }
        let wrong = try self.settings(servers: "turn:u:hush@")
        #expect(wrong.warnings.count == 1)
        #expect(wrong.warnings.allSatisfy { !$0.contains("hush") })
    }

    @Test @EngineActor func roomsHandOutWhatTheHostAllows() throws {
        let open = ICEServers(try settings("turn-secret=whisper")).shared(with: "member")
        #expect(open.map(\.urls) == [["stun:s.example"], ["turns:b.example"]])
        #expect(open[1].username?.hasSuffix(":member") == true)
        #expect(open[1].credential != nil)
        let bare = ICEServers(try settings()).shared(with: "member")
        #expect(bare.map(\.urls) == [["stun:s.example"]], "a server that nobody can log in to is of no use")
        let all = ICEServers(try settings("turn-secret=whisper", "share-ice-servers=all")).shared(with: "member")
        #expect(all.map(\.username).map { $0 == "u" } == [false, true, false])
        #expect(ICEServers(try settings("share-ice-servers=none")).shared(with: "member").isEmpty)
    }

    @Test @EngineActor func whatARoomHandsOutIsReadBack() throws {
        let given = ICEServers(try settings("turn-secret=whisper", "share-ice-servers=all")).shared(with: "member")
        let read = given.flatMap(\.usable)
        #expect(read.map(\.description) == ["stun:s.example", "turn:a.example?transport=tcp", "turns:b.example"])
        #expect(read[1].credentials?.secret == "hush")
        let strange = Signaling.ICEServer(urls: ["stuns:x", "http://y", "turn:z:0"], username: "u", credential: "c")
        #expect(strange.usable.isEmpty)
    }
}
