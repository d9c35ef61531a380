import ControlProtocol
import Foundation
import Reactor
import TestSupport
import Testing

@testable import Core

@EngineActor @Suite struct SettingsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func write(_ text: String) throws -> String {
        let path = directory.path + "/hoot.conf"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func aMissingFileGivesTheFallbacks() throws {
        let settings = Settings(path: directory.path + "/none.conf")
        #expect(settings.integer("call.answer-interval") == 45)
        #expect(settings.integer("call.dialing-interval") == 5)
        #expect(settings.integer("call.statistics-interval") == 1)
        #expect(settings.integer("call.report-interval") == 5)
        #expect(settings.integer("call.alone-leave") == 30)
        #expect(settings.warnings.isEmpty)
    }

    @Test func whatDoesNotFitIsNamedAndTheFallbackHolds() throws {
        let settings = Settings(path: try write("[call]\nanswer-interval=61\nnonsense=1\ndialing-interval=4\n"))
        #expect(settings.integer("call.answer-interval") == 45)
        #expect(settings.integer("call.dialing-interval") == 4)
        #expect(settings.warnings.count == 2)
        #expect(settings.warnings.contains { $0.contains("10 to 60") && $0.contains(":2") })
    }

    /// Q2, Q5, Q63.
    @Test(arguments: [
        ("call.answer-interval", 9, "10 to 60"), ("call.answer-interval", 61, "10 to 60"),
        ("call.dialing-interval", 2, "3 to 60"), ("call.statistics-interval", 0, "1 to 60"),
    ])
    func aValueOutOfRangeIsRefusedWithTheRange(name: String, value: Int, range: String) throws {
        let settings = Settings(path: try write(""))
        do {
            try settings.set(name, to: .integer(value))
            Issue.record("\(value) was taken")
        } catch {
            #expect(error.code == -32602)
            #expect(error.message.contains(range))
        }
    }

    @Test(arguments: [
        ("audio.frame-ms", JSONValue.integer(30), "10, 20, 40 or 60"),
        ("network.media-ports", .string("high"), "LO-HI"),
        ("network.media-ports", .string("9-8"), "LO-HI"), ("network.listen", .string("::1"), "[::]:7443"),
        ("network.listen", .string(""), "ADDRESS:PORT"),
        ("network.ice-servers", .array([.string("stun.example")]), "stun:HOST"),
        ("person.name", .string("a\nb"), "“person.name” has a control character"),
        ("audio.server", .string("unix:/a\u{1B}b"), "“audio.server” has a control character"),
        ("network.ice-servers", .array(["stun:a\u{7}"]), "“network.ice-servers” has a control character"),
        ("network.media-ports", .string("+5000-+5010"), "LO-HI"), ("network.media-ports", .string("0-5"), "LO-HI"),
        ("network.listen", .string("zzz:7443"), "ADDRESS:PORT"),
        ("network.listen", .string("0.0.0.0:+1"), "ADDRESS:PORT"),
        ("network.listen", .string("[1.2.3.4]:1"), "ADDRESS:PORT"),
        ("network.listen", .string("1.2.3.400:1"), "ADDRESS"),
        ("network.public-address", .string("1.2.3.4:7443"), "without a port"),
        ("network.public-address", .string("a b"), "an address or a host"),
        ("network.public-address", .string("300.1.2.3"), "an address or a host"),
        ("network.public-address", .string("0.0.0.0"), "an address or a host"),
        ("network.public-url", .string("http://meet.example"), "https://HOST"),
        ("network.public-url", .string("https://300.1.2.3"), "https://HOST"),
        ("audio.codecs", .array([]), "one or more of opus, pcmu, pcma"), ("audio.codecs", .string("g729"), "opus"),
        ("audio.codecs", .string("opus,opus"), "each once"),
    ])
    func aValueOfTheWrongFormIsRefusedWithTheRightOne(name: String, value: JSONValue, form: String) throws {
        let settings = Settings(path: try write(""))
        do {
            try settings.set(name, to: value)
            Issue.record("\(value) was taken")
        } catch {
            #expect(error.code == -32602 && error.message.contains(form), "\(error)")
        }
    }

    @Test(arguments: [
        ("audio.frame-ms", JSONValue.integer(40)), ("network.media-ports", .string("40000-40100")),
        ("network.listen", .string("[::1]:7443")), ("network.ice-servers", .array([.string("stun:stun.example:3478")])),
        ("person.name", .string("chi")), ("audio.codecs", .array([.string("pcma"), .string("opus")])),
    ])
    func aValueOfTheRightFormIsTaken(name: String, value: JSONValue) throws {
        let settings = Settings(path: try write(""))
        try settings.set(name, to: value)
        #expect(settings[name] == value)
    }

    @Test func aListMayHaveSpacesBehindItsCommas() throws {
        let settings = Settings(path: try write("[audio]\ncodecs=pcma, opus\n"))
        #expect(settings.strings("audio.codecs") == ["pcma", "opus"] && settings.warnings.isEmpty)
    }

    @Test(arguments: Setting.all) func everyFallbackIsOfItsOwnForm(setting: Setting) throws {
        #expect(try setting.check(setting.fallback) == setting.fallback)
    }

    @Test func aChangeIsSavedAndCommentsStay() throws {
        let path = try write("# mine\n[call]\n# careful\nanswer-interval=20\n")
        let settings = Settings(path: path)
        var changed: [String] = []
        settings.onChange = { changed.append($0) }
        try settings.set("call.answer-interval", to: .integer(30))
        try settings.set("audio.echo-cancellation", to: .bool(false))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("# mine") && text.contains("# careful") && text.contains("answer-interval=30"))
        #expect(changed == ["call.answer-interval", "audio.echo-cancellation"])
        #expect(Settings(path: path).bool("audio.echo-cancellation") == false)
    }

    @Test func anUnknownSettingIsNamed() throws {
        let settings = Settings(path: try write(""))
        #expect(throws: RPCError.self) { try settings.set("call.colour", to: .string("red")) }
    }

    @Test func everySettingIsDescribedWithItsValueAndRangeAndWithoutSecrets() throws {
        let settings = Settings(path: try write("[call]\nanswer-interval=20\n[network]\nturn-secret=hush\n"))
        let states = settings.states
        #expect(states.map(\.name) == Setting.all.map(\.name))
        let interval = try #require(states.first { $0.name == "call.answer-interval" })
        #expect(interval.value == .integer(20) && interval.fallback == .integer(45))
        #expect(interval.kind == .number && interval.values == "10 to 60")
        let secret = try #require(states.first { $0.name == "network.turn-secret" })
        #expect(secret.isSecret == true && !secret.value.text.contains("hush"))
        #expect(states.first { $0.name == "console.pictures" }?.choices?.first == "auto")
        // What is shown can be typed again as it is, but for secrets.
        for state in states where state.isSecret != true {
            try settings.set(state.name, to: .string(SettingState.text(of: state.value)))
        }
        #expect(settings.states == states)
    }
}
