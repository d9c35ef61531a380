import ControlProtocol
import Testing

@Suite struct ArgumentsTests {
    private func check(_ method: String, _ params: String) throws -> Arguments {
        try Arguments(JSONValue(parsing: params.utf8), for: try #require(Method.named(method)))
    }

    private func refusal(_ method: String, _ params: String) throws -> RPCError? {
        do {
            _ = try check(method, params)
            return nil
        } catch let error as RPCError {
            return error
        }
    }

    @Test func everyMethodHasANameOfItsOwn() {
        #expect(Set(Method.all.map(\.name)).count == Method.all.count)
    }

    @Test func theFrozenMethodsAreTheFiveThatStayForEver() {
        let frozen = Method.all.filter(\.isFrozen).map(\.name).sorted()
        #expect(frozen == ["audio.mute", "call.leave", "core.hello", "core.shutdown", "core.state"])
    }

    @Test(arguments: [
        ("call.join", "{}", "parameter “what” is missing: a string"),
        ("call.join", #"{"what":5}"#, "parameter “what”: expected a string, got 5"),
        ("call.hold", #"{"on":"maybe"}"#, "parameter “on”: expected on, off or toggle, got “maybe”"),
        ("audio.gain", #"{"percent":401}"#, "parameter “percent”: expected a whole number from 0 to 400, got 401"),
        ("audio.gain", #"{"percent":1.5}"#, "parameter “percent”: expected a whole number from 0 to 400, got a number"),
        ("audio.route", #"{"route":"tv"}"#, "parameter “route”: expected one of speaker, receiver, toggle, got “tv”"),
        (
            "room.ring", #"{"names":[1]}"#,
            "parameter “names”: expected an array of strings, got an array"
        ),
        ("core.state", #"{"x":1}"#, "no parameter “x”; core.state takes none"),
        ("audio.mute", "[true]", "audio.mute: parameters are given by name in an object, not as an array"),
    ])
    func aRefusalNamesTheField(method: String, params: String, message: String) throws {
        let error = try refusal(method, params)
        #expect(error?.code == -32602)
        #expect(error?.message == message)
    }

    @Test func onOffAndToggleAreWordsOrBooleans() throws {
        #expect(try check("audio.mute", #"{"on":true}"#).wish("on") == .on)
        #expect(try check("audio.mute", #"{"on":"off"}"#).wish("on") == .off)
        #expect(try check("audio.mute", #"{"on":"toggle"}"#).wish("on") == .toggle)
        #expect(try check("audio.mute", "{}").wish("on") == .toggle)
    }

    @Test func oneNameStandsForAListOfOne() throws {
        #expect(try check("room.ring", #"{"names":"chi"}"#).strings("names") == ["chi"])
    }

    @Test func whatIsTooLongIsRefusedWithoutRepeatingIt() throws {
        let long = String(repeating: "x", count: 4097)
        let texts = (0..<65).map { "\"\($0)\"" }.joined(separator: ",")
        for (method, params) in [
            ("call.join", "{\"what\":\"\(long)\"}"), ("room.ring", "{\"names\":[\(texts)]}"),
            ("settings.set", "{\"name\":\"a\",\"value\":\"\(long)\"}"), ("core.state", "{\"\(long)\":1}"),
        ] {
            let message = try #require(try refusal(method, params)?.message)
            #expect(message.count < 200 && message.contains("parameter"), "\(message)")
        }
    }

    @Test(arguments: [
        ("audio.select", "input", "a\u{1B}[2Jb"), ("call.join", "what", "x\ny"), ("room.ring", "names", "a\u{9B}b"),
        ("core.subscribe", "pulseServer", "unix:/\u{7F}"), ("room.kick", "reason", "\u{202E}loud"),
    ])
    func controlsAreRefusedWhereALineIsWanted(method: String, parameter: String, text: String) throws {
        let method = try #require(Method.named(method))
        do throws(RPCError) {
            _ = try Arguments(
                .object([parameter: .string(text), "participant": .string("x")]), for: method, ignoresUnknown: true)
            Issue.record("taken")
        } catch {
            #expect(error.message == "parameter “\(parameter)” has a control character; leave it out")
        }
    }

    /// A message keeps its lines.
    @Test func aMessageMayHaveLines() throws {
        let method = try #require(Method.named("chat.send"))
        #expect(try Arguments(.object(["text": .string("a\nb")]), for: method).string("text") == "a\nb")
    }

    @Test func quotedTextIsShortAndOfOneLine() {
        #expect("a\nb\u{1B}[m".quoted == "“a b [m”")
        #expect(String(repeating: "é", count: 81).quoted == "“" + String(repeating: "é", count: 80) + "…”")
    }
}
