import ControlClient
import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

/// The verbs and options as a shell meets them: what they print, where, and how they end.
@Suite(.serialized) struct CommandLineTests {
    private let hoot: HootProgram

    init() throws {
        hoot = try HootProgram()
    }

    /// A wrong command line, the status it ends with and what standard error says.
    struct Mistake: Sendable {
        var words: [String]
        var status: Int32
        var text: String

        init(_ words: String, _ status: Int32, _ text: String) {
            self.words = words.split(separator: " ").map(String.init)
            self.status = status
            self.text = text
        }
    }

    private static let mistakes = [
        Mistake("foo", 2, "“foo” is neither a command nor a saved room; `hoot --help` shows how"),
        Mistake("foo bar", 2, "“foo” is not a command; `hoot --help` shows how"),
        Mistake("jion x", 2, "“jion” is not a command (did you mean join?); `hoot --help` shows how"),
        Mistake(
            "statsu", 2,
            "“statsu” is neither a command nor a saved room (did you mean stats?); `hoot --help` shows how"),
        Mistake("--nope", 2, "no option --nope; `hoot --help` shows how"),
        Mistake("-x", 2, "no option -x; `hoot --help` shows how"),
        Mistake("--plain=1", 2, "option --plain takes no argument; `hoot --help` shows how"),
        Mistake("join", 2, "join: WHAT is missing; `hoot join --help` shows how"),
        Mistake("join a b", 2, "join: too many words: b; `hoot join --help` shows how"),
        Mistake("join --nam", 2, "join: option --nam needs an argument; `hoot join --help` shows how"),
        Mistake("join -", 2, "join: standard input has no line with a link; `hoot join --help` shows how"),
        Mistake(
            "join foo", 1,
            "join: no saved room “foo”: it was never joined or hosted here; give a link (https://…) or one of the rooms "
                + "that `hoot status` lists"),
        Mistake("mute maybe", 2, "mute: on, off or toggle, not “maybe”; `hoot mute --help` shows how"),
        Mistake("hold --nope", 2, "hold: no option --nope; `hoot hold --help` shows how"),
        Mistake("join - --nope", 2, "join: no option --nope; `hoot join --help` shows how"),
        Mistake("route", 2, "route: speaker|receiver|toggle is missing; `hoot route --help` shows how"),
        Mistake("route left", 2, "route: speaker, receiver or toggle, not “left”; `hoot route --help` shows how"),
        Mistake("core stay", 2, "core: stop, not “stay”; `hoot core --help` shows how"),
        Mistake(
            "demo --guests=9", 2,
            "demo: --guests: a whole number from 1 to 7, not “9”; `hoot demo --help` shows how"),
        Mistake("ctl nope", 2, "ctl: no method “nope”; `hoot ctl --help` lists them"),
        Mistake("ctl core.state x", 2, "ctl: core.state takes KEY=VALUE, not “x”; `hoot ctl --help` shows how"),
        Mistake("ctl core.state =5", 2, "ctl: core.state takes KEY=VALUE, not “=5”; `hoot ctl --help` shows how"),
        Mistake(
            "ctl call.hold on=on on=off", 2, "ctl: call.hold: “on” is given twice; `hoot ctl --help` shows how"),
        Mistake("leave", 1, "leave: no core is running; `hoot` or `hoot core` starts one"),
        Mistake("mute", 1, "mute: no core is running; `hoot` or `hoot core` starts one"),
        Mistake("ctl watch", 1, "ctl: no core is running; `hoot` or `hoot core` starts one"),
        Mistake("ctl -", 1, "ctl: no core is running; `hoot` or `hoot core` starts one"),
    ]

    @Test(arguments: mistakes) func aMistakeIsNamedAndStartsNoCore(mistake: Mistake) throws {
        let child = try runWords(mistake.words)
        #expect(child.status == mistake.status)
        #expect(child.errors == "hoot: \(mistake.text)\n")
        #expect(child.output.isEmpty)
        #expect(hoot.corePID == nil)
    }

    @Test func withACoreMistakesNameWhatIsWrong() throws {
        #expect(try hoot.run("core").status == 0)
        for mistake in [
            Mistake("leave", 1, "leave: there is no call; hoot join or hoot host starts one"),
            Mistake("hold", 1, "hold: there is no call; hoot join or hoot host starts one"),
            Mistake("ring bob", 1, "ring: there is no call; hoot join or hoot host starts one"),
            Mistake(
                "ctl audio.gain percent=900", 2,
                "ctl: parameter “percent”: expected a whole number from 0 to 400, got 900"),
            Mistake(
                "ctl audio.gain", 2, "ctl: parameter “percent” is missing: a whole number from 0 to 400"),
            Mistake(
                "ctl settings.set name=a.b value=1", 2, "ctl: no setting “a.b”; `hoot ctl settings.get` lists them"),
            Mistake(
                "host --listen=nowhere --detach", 2,
                "host: listen: expected ADDRESS:PORT, such as 0.0.0.0:7443 or [::]:7443, got “nowhere”"),
            Mistake(
                "host --cert=a --detach", 2, "host: certificate and key go together; one of them is missing"),
        ] {
            let child = try runWords(mistake.words)
            #expect(child.status == mistake.status, "\(mistake.words)")
            #expect(child.errors == "hoot: \(mistake.text)\n")
        }
    }

    @Test func helpIsThereOnEveryLevel() throws {
        let overview = try hoot.run("--help")
        #expect(overview.status == 0 && overview.errors.isEmpty)
        let commands = overview.output.split(separator: "\n").drop { $0 != "commands:" }.dropFirst()
            .prefix { $0 != "options:" }.filter { !$0.hasPrefix("   ") }.compactMap {
                $0.split(separator: " ").first.map(String.init)
            }
        #expect(commands.count >= 15)
        for command in commands {
            let help = try hoot.run(command, "--help")
            #expect(help.status == 0, "\(command)")
            #expect(help.output.hasPrefix("usage: hoot \(command)"), "\(command): \(help)")
            #expect(try hoot.run(command, "-h").output == help.output)
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 160 })
        }
        #expect(hoot.corePID == nil)
    }

    @Test func helpIsACommandToo() throws {
        #expect(try hoot.run("help").output == hoot.run("--help").output)
        #expect(try hoot.run("help", "ring").output == hoot.run("ring", "--help").output)
        #expect(try hoot.run("help", "dance").errors.contains("no command “dance”"))
    }

    /// What stands before a command is not passed over.
    @Test func optionsBeforeACommandAreTheCommands() throws {
        #expect(try hoot.run("--ascii", "demo", "--headless", "--seconds", "0").errors.contains("--seconds"))
        let strange = try hoot.run("--plain", "status")
        #expect(strange.status == 2 && strange.errors.contains("status: no option --plain"), "\(strange)")
    }

    @Test func optionsAreWrittenInEveryGNUWay() throws {
        for words in [
            ["host", "r1", "--listen=127.0.0.1:0", "--name", "ann", "--detach", "--muted"],
            ["host", "--detach", "--listen", "127.0.0.1:0", "--name=ann", "--mut", "--", "r1"],
        ] {
            #expect(try runWords(words).status == 0)
            let state = try hoot.attach().state()
            #expect(state.calls.values.map(\.room) == ["r1"])
            #expect(state.audio.isMuted)
            #expect(try hoot.run("leave", "--close").output == "left; r1 is closed for everyone\n")
        }
    }

    @Test func verbsSwitchAndSay() throws {
        #expect(try runWords(["host", "r", "--listen=127.0.0.1:0", "--detach"]).status == 0)
        #expect(try hoot.run("mute", "on").output == "mute on\n")
        #expect(try hoot.run("mute").output == "mute on\n", "it does not toggle")
        #expect(try hoot.run("mute", "toggle").output == "mute off\n")
        #expect(try hoot.run("hold").output == "hold on\n")
        #expect(try hoot.run("hold", "off").output == "hold off\n")
        #expect(try hoot.run("deafen", "on").output == "deafen on\n")
        let status = try hoot.run("status").output
        #expect(status.hasPrefix("microphone: "))
        #expect(status.contains("r @ "))
        #expect(status.contains("rooms to go back to: r"))
        #expect(try hoot.run("stats").output == "nobody else is in the call\n")
        #expect(try hoot.run("stats", "--csv", "zoe").errors.contains("nobody of that name was in a call"))
        #expect(try hoot.run("invite", "--expires", "4000d").errors.contains("at most 3650d, not “4000d”"))
        #expect(try hoot.run("ring", "bob").output == "ringing bob\n")
        #expect(try hoot.run("devices").status == 0)
        #expect(JSONValue(parsing: try hoot.run("devices", "--json").output.utf8) != nil)
        #expect(JSONValue(parsing: try hoot.run("status", "--json").output.utf8)?["calls"] != nil)
        #expect(try hoot.run("answer").errors == "hoot: answer: no call rings; the caller may have given up\n")
        #expect(try hoot.run("leave").output == "left; r stays open\n")
        // Who left the room open goes back to it.
        #expect(try runWords(["host", "r", "--listen=127.0.0.1:0", "--detach"]).status == 0)
        #expect(try hoot.run("leave", "--close").output == "left; r is closed for everyone\n")
        #expect(JSONValue(parsing: try hoot.run("ctl", "stats.text").output.utf8) == nil)
    }

    @Test func aPictureIsChosenShownAndTakenAway() throws {
        #expect(try runWords(["host", "r", "--listen=127.0.0.1:0", "--detach"]).status == 0)
        let nothing = try hoot.run("video", "on")
        #expect(nothing.status == 1 && nothing.errors.contains("hoot show"), "\(nothing)")
        #expect(try hoot.run("show").output.contains("  pattern  test pattern\n"))
        #expect(try hoot.run("show", "pattern").output == "showing pattern\n")
        #expect(try hoot.run("show").output.contains("* pattern  test pattern\n"))
        #expect(try hoot.run("show", "terminal", "cat", "-n").output == "showing terminal:cat -n\n")
        #expect(try hoot.attach().state().video.isMuted == false)
        #expect(try hoot.run("video", "toggle").output == "video off\n")
        #expect(try hoot.run("video", "on").output == "video on\n")
        #expect(try hoot.run("show", "none").output == "showing none\n")
        let unknown = try hoot.run("show", "holiday")
        #expect(unknown.status == 2 && unknown.errors.contains("“holiday”"), "\(unknown)")
    }

    @Test func theVersionNamesEveryLibrary() throws {
        let outcome = try hoot.run("--version")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("hoot ") == true)
        for library in [
            "GLib", "libsoup", "OpenSSL", "libsrtp2", "libusrsctp", "libopus", "libvpx", "libpulse", "libnice",
            "libwebrtc", "libsndfile", "libspeexdsp", "libncursesw", "libyuv", "libvterm",
        ] {
            let line = lines.first { $0.hasPrefix("  \(library)") }
            #expect(line?.contains { $0.isNumber } == true, "\(library) in \(outcome.output)")
        }
    }

    @Test func whoStartsMutedWithoutAConsoleIsToldHowToUnmute() throws {
        let told = "The microphone is muted; hoot mute off unmutes it.\n"
        let host = try hoot.run("host", "r", "--listen=127.0.0.1:0", "--detach")
        #expect(host.errors.hasSuffix(told) && !host.output.contains("muted"), "\(host)")
        let other = try HootProgram()
        let joined = try other.run("join", "-", "--detach", input: host.output)
        #expect(joined.output == "joined r\n" && joined.errors == told)
        #expect(try other.run("mute", "off").output == "mute off\n")
        #expect(try other.run("leave").status == 0)
        let wished = try other.run("join", "r", "--detach", "--muted")
        #expect(wished.output == "joined r\n" && wished.errors.isEmpty, "who asked for it knows")
    }

    @Test func aLinkInTheArgumentsCannotBeReadFromOutside() throws {
        let listener = try SilentListener()
        let link = "http://127.0.0.1:\(listener.port)/r/room#\(String(repeating: "S", count: 24))"
        for words in [["join", link, "--detach"], [link], ["ctl", "call.join", "what=\(link)"]] {
            let child = try ChildProcess([HootProgram.path] + words, environment: hoot.environment)
            // The core has the link by the time it connects.
            try #require(listener.waitForClient(within: .seconds(10)), "\(words)")
            let arguments = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(child.pid)/cmdline"))
            let text = String(decoding: arguments, as: UTF8.self)
            #expect(text.contains("/r/room#xxxx"), "\(text)")
            #expect(!text.contains("SSSS"))
            child.kill()
            #expect(try hoot.run("leave").status == 0)
        }
    }

    @Test func aLinkIsReadFromStandardInput() throws {
        let outcome = try hoot.run("join", "-", input: "  http://127.0.0.1:1/r/room#short \n")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "hoot: join: link: the secret after “#” is damaged; copy the link to its end\n")
    }

    @Test func aJoinThatFailsGivesTheCallBack() throws {
        #expect(try hoot.run("host", "first", "--listen", "127.0.0.1:0", "--detach").status == 0)
        let link = "http://127.0.0.1:9/r/second#" + String(repeating: "A", count: 24)
        let outcome = try hoot.run("join", "-", "--detach", input: link + "\n")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Connection refused"), "\(outcome.errors)")
        let status = try hoot.run("status").output
        #expect(status.contains("first @") && !status.contains("hold"), "\(status)")
    }

    @Test func whatWasTypedSteersNoTerminal() throws {
        let outcome = try hoot.run("--\u{1B}]0;title\u{7}")
        #expect(outcome.status == 2)
        #expect(outcome.errors == "hoot: no option --]0;title; `hoot --help` shows how\n")
    }

    @Test func outputThatNobodyReadsEndsTheProgramQuietly() throws {
        #expect(try hoot.run("core").status == 0)
        for words in [["--help"], ["ctl", "watch"], ["ctl", "core.state"]] {
            let (reader, writer) = try makePipe()
            let (errors, log) = try makePipe()
            close(reader)
            let child = try ChildProcess(
                [HootProgram.path] + words, environment: hoot.environment, output: writer, log: log)
            close(writer)
            close(log)
            #expect(child.wait() == 1, "\(words)")
            var byte: UInt8 = 0
            #expect(Glibc.read(errors, &byte, 1) == 0)
            close(errors)
        }
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(try hoot.start("--help", output: full).wait() == 1)
    }

    /// Replaced unseen, such bytes would name another room.
    @Test func wordsThatAreNotUTF8AreRefused() throws {
        for script in [#"exec "$0" host $'\xff' --detach"#, #"exec "$0" mute $'\xc3\x28'"#, #"exec "$0" $'a\xe2\x82'"#]
        {
            let outcome = try hoot.run(words: [], prefix: ["/bin/bash", "-c", script])
            #expect(outcome.status == 2, "\(script)")
            #expect(
                outcome.errors.hasPrefix("hoot: word ") && outcome.errors.hasSuffix(" of the command is not UTF-8\n"))
        }
        #expect(hoot.corePID == nil)
    }

    @Test(arguments: [
        ("--public-address=no-such-name.invalid", 1, "“no-such-name.invalid” leads nowhere"),
        ("--public-address=1.2.3.4:5", 2, "“publicAddress”: expected an address or a host's name"),
        ("--listen=zzz:7443", 2, "expected ADDRESS:PORT, such as 0.0.0.0:7443 or [::]:7443, got “zzz:7443”"),
        ("--listen=7443", 2, "got “7443”"), ("--public-url=http://x", 2, "https://HOST"),
        ("--input=a\u{1B}b", 2, "“input” has a control character"),
    ])
    func anAddressThatCannotBeIsNamed(option: String, status: Int32, text: String) throws {
        let outcome = try hoot.run("host", "room", "--detach", option)
        #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome)")
    }

    @Test func aPublicNameStandsInTheLink() throws {
        let outcome = try hoot.run("host", "room", "--detach", "--listen=127.0.0.1:0", "--public-address=LocalHost")
        #expect(outcome.output.hasPrefix("https://localhost:"), "\(outcome)")
    }

    @Test func ctlCarriesLinesBothWaysToTheLastAnswer() throws {
        #expect(try hoot.run("core").status == 0)
        let requests = (1...200).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"audio.mute"}"# }
        let others = [
            #"{"jsonrpc":"2.0","method":"audio.mute"}"#, #"{"jsonrpc":"2.0","id":7,"result":{}}"#, "no json",
        ]
        let outcome = try hoot.run("ctl", "-", input: (others + requests).joined(separator: "\n"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answers = try outcome.output.split(separator: "\n").map { try RPCMessage(line: $0.utf8) }
        #expect(answers.count == 201)
        guard case .error(.null, let error) = answers[0] else {
            Issue.record("\(answers[0])")
            return
        }
        #expect(error.code == -32700)
        for (index, answer) in answers.dropFirst().enumerated() {
            // One notification went before, so odd ones mute no longer.
            let expected = JSONValue.object(["on": .bool(index % 2 == 1)])
            #expect(answer == .result(id: .integer(index + 1), expected))
        }
    }

    @Test func watchPrintsEventsAsTheyCome() throws {
        #expect(try hoot.run("core").status == 0)
        let (reader, writer) = try makePipe()
        defer { close(reader) }
        let watcher = try hoot.start("ctl", "watch", output: writer)
        close(writer)
        let text = try Self.read(reader, until: "callStarted") {
            // Until the watcher is there, nobody is told.
            _ = try hoot.run("leave")
            #expect(try runWords(["host", "r", "--listen=127.0.0.1:0", "--detach"]).status == 0)
        }
        #expect(text.split(separator: "\n").allSatisfy { JSONValue(parsing: $0.utf8)?["kind"] != nil }, "\(text)")
        #expect(text.contains("callConnected"), "\(text)")
        watcher.kill()
    }

    /// What comes out of `descriptor` until it contains `word`, `action` being repeated meanwhile.
    private static func read(_ descriptor: Int32, until word: String, _ action: () throws -> Void) throws -> String {
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<20 where !(text.contains(word) && text.hasSuffix("\n")) {
            try action()
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&poller, 1, 200) > 0 {
                let count = Glibc.read(descriptor, &chunk, chunk.count)
                guard count > 0 else { return text }
                text += String(decoding: chunk[..<count], as: UTF8.self)
            }
        }
        return text
    }

    private func runWords(_ words: [String]) throws -> HootProgram.Outcome {
        try hoot.run(words: words)
    }
}
