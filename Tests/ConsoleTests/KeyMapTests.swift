import ControlProtocol
import KeyFiles
import Primitives
import Terminal
import Testing

@testable import Console

struct KeyMapTests {
    @Test func noKeyIsBoundTwiceOnOneScreen() {
        #expect(KeyMap.standard.conflicts.isEmpty)
    }

    @Test func actionsHaveDistinctNamesThatKeyFilesTake() throws {
        let actions = KeyMap.standard.bindings.map(\.action)
        #expect(Set(actions).count == actions.count)
        for action in actions {
            var file = KeyFile(text: "", name: "t")
            try file.set("x", for: action, in: "keys")
        }
    }

    @Test func everyBindingIsInTheHelp() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("?")
        let help = fixture.screen(rows: 90, columns: 132).joined(separator: "\n")
        for binding in KeyMap.standard.bindings { #expect(help.contains(binding.summary)) }
    }

    @Test func everyWordThatTheScreenWritesShortIsInTheHelp() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("?")
        let help = fixture.screen(rows: 90, columns: 132).joined(separator: "\n")
        for word in [
            "AR", "AS", "late", "concealed", "burst", "repaired", "dBov", "MOS", "RTT", "jitter", "buffer", "underruns",
            "late ticks", "socket drops", "reaches",
        ] {
            #expect(help.contains("\n   \(word)"), "the help does not explain \(word)")
        }
    }

    @Test func keysConfRebindsAndUnbinds() {
        let file = KeyFile(text: "[keys]\nmute = F2, C-m\nhold =\n", name: "keys.conf")
        let (map, warnings) = KeyMap.load(file)
        #expect(warnings.isEmpty)
        #expect(map.bindings.first { $0.action == "mute" }?.keys == [Key(.function(2)), Key("m", .control)])
        #expect(map.bindings.first { $0.action == "hold" }?.keys.isEmpty == true)
    }

    @Test func aReboundKeyWorksAndIsShown() throws {
        var fixture = Fixture(keys: KeyMap.load(KeyFile(text: "[keys]\nmute = F2\n", name: "k")).map)
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        try fixture.send(try Fixture.inCall().model.state)
        try fixture.press("m<F2>")
        #expect(fixture.requests.filter { $0.hasPrefix("audio.mute") }.count == 1)
        #expect(fixture.screen().contains { $0.contains("F2 unmute") || $0.contains("F2 mute") })
    }

    @Test func textsNameTheKeyAsItIsBound() throws {
        let map = KeyMap.load(KeyFile(text: "[keys]\nanswer = F5\nverify = F6\n", name: "k")).map
        var fixture = Fixture(keys: map)
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        var state = try Fixture.inCall().model.state
        try fixture.send(state)
        try fixture.press("3")
        #expect(fixture.screen().contains { $0.contains("compare it aloud, then F6") })
        state.calls["c9"] = Fixture.ringing
        try fixture.send(state)
        #expect(fixture.screen().last?.contains("F5 answer  x reject") == true)
    }

    @Test(arguments: [
        ("[keys]\nfly = f\n", "k:2: there is no action \"fly\""),
        ("[keys]\nmute = Hyper-x\n", "k:2: \"Hyper-x\" names no key"),
        ("[keys]\nmute = h\n", "k: h does both mute and hold"),
    ])
    func whatIsWrongIsAWarningAndTheRestHolds(text: String, warning: String) {
        let (map, warnings) = KeyMap.load(KeyFile(text: text, name: "k"))
        #expect(warnings.map(\.description) == [warning])
        #expect(map.bindings.first { $0.action == "deafen" }?.keys == [Key("d")])
    }
}
