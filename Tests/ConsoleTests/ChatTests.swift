import ControlProtocol
import Terminal
import Testing

@testable import Console

/// What is written, and what others write.
struct ChatTests {
    @Test func whatIsTypedIsSentToEverybody() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("tm, are you there?")
        #expect(fixture.screen().last?.hasSuffix("say: m, are you there?") == true)
        #expect(fixture.requests.isEmpty, "letters of a message press no keys")
        try fixture.press("<enter>")
        #expect(fixture.requests == [#"chat.send text="m, are you there?""#])
        #expect(fixture.model.overlay == nil)
    }

    @Test func anEmptyMessageIsNone() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("t  <enter>")
        #expect(fixture.requests.isEmpty && fixture.model.overlay == nil)
    }

    @Test func whatIsWrittenStandsAmongTheMessagesWithItsName() throws {
        var fixture = try Fixture.inCall()
        try fixture.chat("hello")
        try fixture.chat("hi", from: "p1")
        try fixture.chat("psst", from: "p1", to: ["p3"])
        let screen = fixture.screen(rows: 30)
        #expect(screen.contains { $0.hasSuffix("08:12:25 bob: hello") })
        #expect(screen.contains { $0.hasSuffix("you: hi") } && screen.contains { $0.hasSuffix("you to chi: psst") })
    }

    @Test func anEventAndItsMessageAreOneLine() throws {
        var fixture = try Fixture.inCall()
        try fixture.chat("hello")
        fixture.send(
            event: EventUpdate(
                time: 1, kind: .chat, call: "c1", participant: "p2", text: "bob: hello", message: "hello"))
        try fixture.change { $0.core.consoles = 3 }
        #expect(fixture.model.log.messages.filter { $0.text.contains("hello") }.count == 1)
    }

    @Test func aConsoleThatAttachesLateHasWhatWasWrittenBeforeOnce() throws {
        var fixture = try Fixture.inCall()
        try fixture.chat("first")
        try fixture.chat("second")
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        try fixture.change { _ in }
        let texts = fixture.model.log.messages.map(\.text).filter { $0.hasPrefix("bob: ") }
        #expect(texts == ["bob: first", "bob: second"])
    }

    @Test func aCoreStartedAnewCountsAnew() throws {
        var fixture = try Fixture.inCall { $0.core.startedAt = 1 }
        try fixture.chat("before")
        try fixture.change { state in
            state.core.startedAt = 2
            state.calls["c1"]?.chat = ["1": ChatMessage(time: 5, from: "p2", name: "bob", text: "after")]
        }
        #expect(fixture.model.log.messages.last?.text == "bob: after")
    }

    @Test func messagesOfOthersAreUnreadUntilOneLooksOrWrites() throws {
        for keys in ["e", "tyes<enter>"] {
            var fixture = try Fixture.inCall()
            try fixture.chat("one")
            try fixture.chat("mine", from: "p1")
            try fixture.chat("two")
            #expect(fixture.screen()[0].contains("2 unread"))
            #expect(fixture.screen(rows: 40).contains { $0.contains("Messages") && $0.contains("2 unread") })
            try fixture.press(keys + (keys == "e" ? "<esc>" : ""))
            #expect(!fixture.screen(rows: 40).joined().contains("unread"))
        }
    }

    @Test func aRefusedMessageIsNotLost() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("tlong story<enter>")
        try fixture.refuse("chat.send", "nobody got the message")
        #expect(fixture.screen().last?.hasSuffix("say: long story") == true)
        try fixture.press("<esc>")
        #expect(fixture.screen().contains { $0.contains("not sent: nobody got the message") })
    }

    @Test func aMessageToTheSelectedPersonGoesToNobodyElse() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("3T")
        #expect(fixture.screen().last?.hasSuffix("to chi alone:") == true)
        try fixture.press("psst<enter>")
        #expect(fixture.requests == [#"chat.send text="psst" to=["p3"]"#])
        try fixture.refuse("chat.send", "nobody got the message")
        #expect(fixture.screen().last?.hasSuffix("to chi alone: psst") == true, "nor when it is tried again")
        try fixture.press("<esc>1T")
        #expect(fixture.model.overlay == nil)
        #expect(fixture.screen().contains { $0.contains("T tell: select somebody else") })
    }

    @Test func whoWasNotReachedIsNamed() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("thi<enter>")
        try fixture.answer("chat.send", .object(["unreached": .object(["p4": .string("no data channel")])]))
        #expect(fixture.screen().contains { $0.contains("not reached: dee: no data channel") })
    }

    @Test func whereNobodyCanReadTheKeySaysSo() throws {
        var fixture = try Fixture.inCall { state in
            for id in ["p2", "p3", "p4"] { state.calls["c1"]?.people[id]?.canChat = false }
        }
        try fixture.press("t")
        #expect(fixture.model.overlay == nil)
        #expect(fixture.screen().contains { $0.contains("t chat: nobody here can read it") })
    }

    @Test func aLongMessageIsShownWhole() throws {
        var fixture = try Fixture.inCall()
        let words = (1...60).map { "word\($0)" }
        try fixture.chat(words.joined(separator: " ") + "\nlast line " + String(repeating: "x", count: 100))
        for screen in [fixture.screen(rows: 43, columns: 80), fixture.screen(rows: 60, columns: 60)] {
            let text = screen.joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(words.allSatisfy { text.contains($0) } && text.contains("last line"))
            #expect(screen.joined().filter { $0 == "x" }.count >= 100)
        }
    }

    @Test func pastedLinesStayAndControlsGoAndTheLimitHolds() throws {
        var prompt = TextPrompt(.chat)
        prompt.insert("a\nb\u{1B}[31mc\u{9B}d")
        #expect(prompt.text == "a\nb[31mcd" && prompt.shown.before == "a b[31mcd")
        prompt.insert(String(repeating: "é", count: 5000))
        #expect(prompt.text.utf8.count <= TextPrompt.limit && prompt.text.utf8.count > TextPrompt.limit - 2)
        var link = TextPrompt(.join)
        link.insert("https://x/r/a#\nTOKEN")
        #expect(link.text == "https://x/r/a#TOKEN" && link.shown.before == "https://x/r/a#*****")
    }

    @Test func controlWTakesBackAWord() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("tone two  <C-w>three<enter>")
        #expect(fixture.requests == [#"chat.send text="one three""#])
    }
}
