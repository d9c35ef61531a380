import ControlProtocol
import Primitives
import Testing

@testable import Core
@testable import Transport

@Suite struct ChatTextTests {
    @Test func whatAUserWritesIsSentAsItIsOrRefusedWithTheReason() throws {
        for text in ["hi", "two\nlines", "grüezi 👋🏽", " indented", String(repeating: "a", count: 4000)] {
            #expect(try ChatText(checking: text).text == text)
        }
        #expect(throws: ChatTextError.tooLong(byteCount: 4002)) {
            try ChatText(checking: String(repeating: "ü", count: 2001))
        }
        for text in ["a\tb", "a\rb", "a\r\nb", "\u{1B}[2J", "\u{9B}2J", "a\u{202E}b", "\u{0}"] {
            #expect(throws: ChatTextError.controlCharacter) { try ChatText(checking: text) }
        }
        for text in ["", " ", "\n\n"] { #expect(throws: ChatTextError.blank) { try ChatText(checking: text) } }
    }

    @Test func whatAPeerWritesIsShownWithoutWhatMovesACursor() {
        let cases = [
            ("a\tb", "a b"), ("a\r\nb\rc", "a\nb\nc"), ("\u{1B}[2Jx", "[2Jx"), ("a\u{202E}b", "ab"), ("hi", "hi"),
        ]
        for (text, shown) in cases { #expect(ChatText(receiving: text)?.text == shown) }
        for text in ["", "\u{1B}", " \n", String(repeating: "a", count: 4001)] {
            #expect(ChatText(receiving: text) == nil)
        }
    }

    @Test func aFrameIsOneJSONObject() throws {
        let text = try ChatText(checking: "say \"hi\"/\n👋")
        #expect(ChatFrame.encode(text) == #"{"text":"say \"hi\"/\n👋","type":"chat"}"#)
        #expect(ChatFrame.decode(ChatFrame.encode(text)) == text)
        #expect(ChatFrame.decode(#"{"type":"chat","text":"h\u0069","later":[1]}"#)?.text == "hi")
        let longest = String(repeating: "\\u0061", count: 4000)
        #expect(ChatFrame.decode(#"{"type":"chat","text":"\#(longest)"}"#)?.text.count == 4000)
    }

    @Test func otherThingsAreNoChat() {
        let frames = [
            "", "hi", "[]", "null", "{}", #"{"type":"chat"}"#, #"{"text":"hi"}"#, #"{"type":"typing","text":"hi"}"#,
            #"{"type":"chat","text":5}"#, #"{"type":"chat","text":""}"#, #"{"type":"chat","text":"hi""#,
            String(repeating: "[", count: 20_000),
            #"{"type":"chat","text":"hi"}"# + String(repeating: " ", count: 25_000),
        ]
        for frame in frames { #expect(ChatFrame.decode(frame) == nil, "\(frame.prefix(40))") }
    }

    @Test func mutatedFramesNeverTrapAndGiveOnlyWhatMayBeShown() throws {
        var random = SplitMix64(seed: 5)
        let frame = Array(ChatFrame.encode(try ChatText(checking: "hello \"you\"\nthere")).utf8)
        for _ in 0..<20_000 {
            var bytes = frame
            for _ in 0...random.next() % 3 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
            }
            guard let text = ChatFrame.decode(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(try ChatText(checking: text.text) == text)
        }
    }
}

@Suite struct ChatIntakeTests {
    private static let hi = DataMessage.text(#"{"type":"chat","text":"hi"}"#)

    @Test func fiftyAtOnceAreTakenAndThenTenASecond() {
        var now = MonoTime.zero
        var intake = ChatIntake(at: now)
        for _ in 0..<50 { #expect(intake.receive(Self.hi, at: now) != .malformed) }
        #expect(intake.receivedCount == 50)
        #expect(intake.receive(Self.hi, at: now) == .tooFast(isFirst: true))
        #expect(intake.receive(Self.hi, at: now) == .tooFast(isFirst: false))
        for _ in 0..<100 {
            now = now + .milliseconds(50)
            _ = intake.receive(Self.hi, at: now)
        }
        #expect((99...101).contains(intake.receivedCount), "50 of 100 in five seconds")
        #expect(intake.receivedCount + intake.droppedCount == 152)
    }

    @Test func whatIsNoChatIsCountedAndCostsAsMuch() {
        var intake = ChatIntake(at: .zero)
        for _ in 0..<50 { #expect(intake.receive(.binary([1]), at: .zero) == .malformed) }
        #expect(intake.receive(Self.hi, at: .zero) == .tooFast(isFirst: true))
        #expect(intake.malformedCount == 50)
    }
}

@Suite struct ChatLogTests {
    private func message(_ text: String) -> ChatMessage {
        ChatMessage(time: 1, from: "p", name: "dee", text: text)
    }

    @Test func theLatestTwoHundredAreKeptUnderNumbersThatGrow() throws {
        var log = ChatLog()
        for number in 1...250 { log.append(message("\(number)")) }
        #expect(Set(log.encoded.keys) == Set((51...250).map(String.init)))
        let last: ChatMessage = try #require(log.encoded["250"]).decoded()
        #expect(last == message("250"))
    }

    @Test func longMessagesLeaveRoomForFewer() {
        var log = ChatLog()
        for _ in 0..<100 { log.append(message(String(repeating: "\n", count: 4000))) }
        #expect(Set(log.encoded.keys) == Set((85...100).map(String.init)))
        let state = JSONValue.object(log.encoded).text.utf8.count
        #expect(state < ProtocolVersion.maximumLineByteCount / 4, "\(state)")
    }
}
