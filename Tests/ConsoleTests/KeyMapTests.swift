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
        let help = fixture.screen(rows: 100, columns: 132).joined(separator: "\n")
        for binding in KeyMap.standard.bindings { #expect(help.contains(binding.summary)) }
    }

    @Test func everyWordThatTheScreenWritesShortIsInTheHelp() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("?")
        let help = fixture.screen(rows: 100, columns: 132).joined(separator: "\n")
        for word in [
            "AR", "AS", "late", "concealed", "burst", "repaired", "dBov", "MOS", "RTT", "jitter", "buffer", "underruns",
            "late ticks", "socket drops", "reaches", "VR, VS", "QP 23/127", "freezes", "NACK, RTX", "key, PLI",
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

    @Test func keysConfNeedsNoGroup() {
        for text in ["mute = F2\nhold = F3\n", "[keys]\nmute = F2\nhold = F3\n", "mute = F2\n[keys]\nhold = F3\n"] {
            let (map, warnings) = KeyMap.load(KeyFile(text: text, name: "keys.conf", unnamedGroup: KeyMap.group))
            #expect(warnings.count == (text.hasPrefix("mute") && text.contains("[keys]") ? 1 : 0))
            #expect(map.key(of: "mute") == "F2" && map.key(of: "hold") == "F3")
        }
    }

    @Test func keysConfNamesEveryKey() {
        let file = KeyFile(
            text: "[keys]\nmute = equal [ hash\nhold = space backslash\ntalk = F9\nclose = M bracketright\n", name: "k")
        let (map, warnings) = KeyMap.load(file)
        #expect(warnings.map(\.description) == ["k: = does both mute and louder"])
        func keys(_ action: String) -> [Key]? { map.bindings.first { $0.action == action }?.keys }
        #expect(keys("mute") == [Key("="), Key("["), Key("#")])
        #expect(keys("hold") == [Key(" "), Key("\\")])
        #expect(keys("close") == [Key("M"), Key("]")])
    }

    @Test func everyDisabledKeySaysWhyInOneLine() throws {
        var frozen = try Fixture.inCall()
        frozen.model.attached(mismatch: "the core is older", pulseServer: nil, at: frozen.now)
        var lost = try Fixture.inCall()
        lost.model.lost("it closed the connection", at: lost.now)
        var disabled = 0
        for fixture in [try Fixture.inCall(), try Fixture.attached(), try Fixture.hosting(), frozen, lost] {
            for binding in KeyMap.standard.bindings
            where !binding.isOffered(in: fixture.model) || binding.reason(fixture.model) != nil {
                guard let key = binding.keys.first,
                    KeyMap.standard.binding(for: key, in: fixture.model).map({ $0.action == binding.action }) ?? true
                else { continue }
                var fixture = fixture
                _ = fixture.model.takeEffects()
                let count = fixture.model.log.messages.count
                fixture.model.receive(.key(key), at: fixture.now)
                #expect(fixture.model.log.messages.count == count + 1, "\(key) says nothing")
                let text = fixture.model.log.messages.last?.text ?? ""
                #expect(text.hasPrefix("\(key) ") && text.contains(": ") && !text.contains("\n"), "\(text)")
                #expect(fixture.model.takeEffects().isEmpty, "\(key) did something")
                disabled += 1
            }
        }
        #expect(disabled > 40)
    }

    @Test(arguments: [
        ("quit =", ["C-c"], "k:2: C-c stays: there has to be a way out"),
        ("quit = F10", ["F10", "C-c"], nil),
        ("quit = C-c", ["C-c"], nil),
        ("hold = C-c", ["q", "C-c"], "k:2: C-c stays with quit, the way out"),
        ("hold = q", ["q", "C-c"], "k: q does both hold and quit"),
    ])
    func thereIsAlwaysAWayOut(line: String, keys: [String], warning: String?) throws {
        let (map, warnings) = KeyMap.load(KeyFile(text: "[keys]\n\(line)\n", name: "k"))
        #expect(warnings.map(\.description) == [warning].compactMap { $0 })
        #expect(map.bindings.first { $0.action == "quit" }?.keys.map(\.description) == keys)
        var fixture = Fixture(keys: map)
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        try fixture.send(try Fixture.inCall().model.state)
        try fixture.press("<C-c>")
        #expect(fixture.model.overlay == .quit)
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
        ("[keys]\nmute = h h\n", "k: h does both mute and hold"),
        ("# mine\nfly = f\n", "k:2: there is no action \"fly\""),
        ("mute = m Hyper-x\n", "k:1: \"Hyper-x\" names no key"),
        ("[key]\nmute = F2\n", "k: [key] is passed over: keys are in [keys]"),
    ])
    func whatIsWrongIsAWarningAndTheRestHolds(text: String, warning: String) {
        let (map, warnings) = KeyMap.load(KeyFile(text: text, name: "k", unnamedGroup: KeyMap.group))
        #expect(warnings.map(\.description) == [warning])
        #expect(map.bindings.first { $0.action == "deafen" }?.keys == [Key("d")])
    }
}
