import Primitives
import Terminal
import Testing

struct InputParserTests {
    @Test(arguments: [
        ("a", "a"), ("é日🙂", "é,日,🙂"), ("\u{1}", "C-a"), ("\u{3}", "C-c"), ("\u{0}", "C-space"), ("\t", "tab"),
        ("\r", "enter"), ("\n", "enter"), ("\u{7F}", "backspace"), ("\u{8}", "backspace"), ("\u{1F}", "C-_"),
        ("\u{1B}a", "A-a"), ("\u{1B}é", "A-é"), ("\u{1B}\u{1}", "C-A-a"), ("\u{1B}1", "A-1"),
        ("\u{1B}[A", "up"), ("\u{1B}OA", "up"), ("\u{1B}[1;5C", "C-right"), ("\u{1B}[1;2D", "S-left"),
        ("\u{1B}[1;3B", "A-down"), ("\u{1B}[1;8H", "C-A-S-home"), ("\u{1B}[F", "end"), ("\u{1B}[1~", "home"),
        ("\u{1B}[3~", "delete"), ("\u{1B}[3;5~", "C-delete"), ("\u{1B}[5~\u{1B}[6~", "pageup,pagedown"),
        ("\u{1B}OP\u{1B}OQ\u{1B}OR\u{1B}OS", "F1,F2,F3,F4"), ("\u{1B}[11~", "F1"), ("\u{1B}[15~", "F5"),
        ("\u{1B}[24~", "F12"), ("\u{1B}[[A\u{1B}[[E", "F1,F5"), ("\u{1B}[Z", "S-tab"), ("\u{1B}Om", "-"),
        ("\u{1B}[97;5u", "C-a"), ("\u{1B}[97;2u", "A"), ("\u{1B}[27u", "esc"), ("\u{1B}[13;3u", "A-enter"),
        ("\u{1B}[27;5;105~", "C-i"), ("\u{1B}[97:65;2:1u", "A"), ("\u{1B}OM", "enter"), ("\u{1B}Oq", "1"),
        ("\u{1B}[15;1:2~\u{1B}[1;5:1C", "F5,C-right"), ("\u{1B}[57404;129u\u{1B}[57414u\u{1B}[57376u", "5,enter,F13"),
    ])
    func sequencesAreKeys(bytes: String, keys: String) {
        var driver = InputDriver()
        #expect(driver.keys(bytes) == keys)
        #expect(driver.parser.ignoredCount == 0)
        #expect(driver.parser.deadline == nil)
    }

    @Test func everySequenceReadsTheSameByteByByte() {
        let text = "aé\u{1B}[1;5C\u{1B}OP\u{1B}[200~x\r\ny\u{1B}[201~日\u{1B}[0n\u{1B}[I"
        var whole = InputDriver()
        var pieces = InputDriver()
        for byte in text.utf8 { pieces.send([byte]) }
        whole.send(Array(text.utf8))
        #expect(pieces.events == whole.events)
        #expect(whole.events.count == 8)
    }

    @Test(arguments: [
        ("\u{1B}[32;1:3u", "space"), ("\u{1B}[116;2:3u", "T"), ("\u{1B}[15;1:3~", "F5"), ("\u{1B}[1;1:3A", "up"),
        ("\u{1B}[99;5:3u", "C-c"),
    ])
    func aKeyThatIsLetGoIsNotPressed(bytes: String, key: String) {
        var driver = InputDriver()
        driver.send(Array(bytes.utf8))
        #expect(driver.events == [Key(parsing: key)].compactMap { $0.map { .release($0) } })
    }

    @Test(arguments: [(0, []), (1, [.disambiguated]), (3, [.disambiguated, .releases])] as [(Int, KeyboardFlags)])
    func whatATerminalTellsOfKeysIsNoKey(flags: Int, told: KeyboardFlags) {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[?\(flags)u".utf8))
        #expect(driver.events == [.keyboard(told)])
    }

    @Test func csi1SemicolonToRIsShiftF3AndNoCursorReport() {
        var driver = InputDriver()
        #expect(driver.keys("\u{1B}[1;2R") == "S-F3")
    }

    @Test(arguments: [
        ("\u{1B}[<0;12;3M", [InputEvent.click(Position(row: 2, column: 11))]),
        ("\u{1B}[<0;12;3M\u{1B}[<0;12;3m", [.click(Position(row: 2, column: 11))]),
        (
            "\u{1B}[<64;1;1M\u{1B}[<65;1;1M",
            [.wheel(-1, Position(row: 0, column: 0)), .wheel(1, Position(row: 0, column: 0))]
        ),
        ("\u{1B}[<16;400;200M", [.click(Position(row: 199, column: 399))]),
        ("\u{1B}[<2;1;1M\u{1B}[<1;1;1M\u{1B}[<35;1;1M", []), ("\u{1B}[<0;0;0M\u{1B}[<0;1M\u{1B}[<;;M", []),
    ])
    func theMouseClicksAndScrolls(bytes: String, events: [InputEvent]) {
        var driver = InputDriver()
        driver.send(Array(bytes.utf8))
        #expect(driver.events == events)
    }

    @Test(arguments: [("1", true), ("2", true), ("3", true), ("0", false), ("4", false)])
    func theAnswerAboutSynchronizedFramesIsNoKey(state: String, synchronizes: Bool) {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[?2026;\(state)$y\u{1B}[?25;1$y".utf8))
        #expect(driver.events == [.synchronizes(synchronizes)])
    }

    @Test func theAnswerToAStatusQuestionIsReady() {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[0n\u{1B}[3n".utf8))
        #expect(driver.events == [.ready])
        #expect(driver.parser.ignoredCount == 1)
    }

    @Test func escapeAloneIsDecidedByTime() {
        var driver = InputDriver()
        driver.send([0x1B])
        #expect(driver.events.isEmpty)
        driver.wait(.milliseconds(49))
        #expect(driver.events.isEmpty)
        driver.wait(.milliseconds(1))
        #expect(driver.events == [.key(Key(.escape))])
        #expect(driver.parser.deadline == nil)
    }

    @Test func escapeFollowedByASequenceIsBoth() {
        var driver = InputDriver()
        #expect(driver.keys("\u{1B}\u{1B}[A") == "esc,up")
    }

    @Test(arguments: [("[", "A-["), ("O", "A-O"), ("]", "A-]"), ("P", "A-P")])
    func altWithTheBeginningOfASequenceIsDecidedByTime(second: String, key: String) {
        var driver = InputDriver()
        driver.send(Array("\u{1B}\(second)".utf8))
        driver.wait(.milliseconds(50))
        #expect(driver.keys("") == key)
    }

    @Test func aSplitSequenceIsWaitedFor() {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[1".utf8))
        driver.wait(.milliseconds(30))
        #expect(driver.keys(";5C") == "C-right")
    }

    @Test func focusIsTold() {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[I\u{1B}[O".utf8))
        #expect(driver.events == [.focus(true), .focus(false)])
    }

    @Test func pasteIsOneEventWithItsEscapesAsText() {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[200~q\u{1B}[A\u{1B}[20\r\nend\rx\u{1B}[201~q".utf8))
        #expect(driver.events == [.paste("q\u{1B}[A\u{1B}[20\nend\nx"), .key(Key("q"))])
    }

    @Test func aPasteWithoutItsEndMarkEndsByTime() {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[200~link\u{1B}[20".utf8))
        driver.wait(.seconds(1))
        #expect(driver.events == [.paste("link\u{1B}[20")])
        #expect(driver.keys("m").hasSuffix("m"))
    }

    @Test func aHugePasteIsCutAndCounted() {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[200~".utf8) + [UInt8](repeating: 0x61, count: 100_000) + Array("\u{1B}[201~".utf8))
        guard case .paste(let text) = driver.events.first else { return #expect(Bool(false), "no paste") }
        #expect(text.utf8.count == 65536)
        #expect(driver.parser.ignoredCount == 100_000 - 65536)
    }

    @Test(arguments: [
        "\u{1B}[<2;10;20M", "\u{1B}[<0;10;20m", "\u{1B}[M !!", "\u{1B}[?2027;2$y", "\u{1B}[?62;22c", "\u{1B}[10;20;30R",
        "\u{1B}]11;rgb:1111/2222/3333\u{7}", "\u{1B}]10;?\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[99~", "\u{1B}[1;1y",
    ])
    func reportsThatAreNoKeysArePassedOver(bytes: String) {
        var driver = InputDriver()
        driver.send(Array(bytes.utf8))
        #expect(driver.keys("x") == "x")
        #expect(driver.parser.ignoredCount == 1)
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0x1B, 0xFF],
        ] as [[UInt8]])
    func brokenUTF8IsCountedAndTheNextKeyIsRead(bytes: [UInt8]) {
        var driver = InputDriver()
        driver.send(bytes)
        #expect(driver.keys("x") == "x")
        #expect(driver.parser.ignoredCount > 0)
    }

    @Test func anEndlessSequenceIsGivenUp() {
        var driver = InputDriver()
        driver.send(Array("\u{1B}[".utf8) + [UInt8](repeating: 0x31, count: 62))
        #expect(driver.parser.ignoredCount == 1)
        #expect(driver.keys("x") == "x")
    }

    @Test func mutationsNeverTrapAndTheParserAlwaysComesBack() {
        var random = SplitMix64(seed: 7)
        let keys = "aé日\u{1B}[1;5C\u{1B}OP\u{1B}[200~pasted\u{1B}[201~\u{1B}[97;5u"
        let seed = Array((keys + "\u{1B}]0;t\u{7}\u{1B}[0n\u{1B}[M!!!").utf8)
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0...Int.random(in: 0..<5, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                if Bool.random(using: &random) { bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random)) }
            }
            var driver = InputDriver()
            driver.send(bytes)
            let before = driver.now
            driver.wait(.seconds(2))
            #expect(driver.parser.deadline.map { $0 > before } ?? true)
            driver.events = []
            #expect(driver.keys("q") == "q")
        }
    }
}

/// A parser on a virtual clock.
private struct InputDriver {
    var parser = InputParser()
    var now = MonoTime.zero
    var events: [InputEvent] = []

    mutating func send(_ bytes: [UInt8]) {
        var out = Outbox<InputEvent>()
        parser.receive(bytes.span.bytes, at: now, into: &out)
        events += out.events
    }

    mutating func wait(_ duration: Duration) {
        now += duration
        var out = Outbox<InputEvent>()
        parser.tick(at: now, into: &out)
        events += out.events
    }

    /// Sends and names all keys so far.
    mutating func keys(_ text: String) -> String {
        send(Array(text.utf8))
        return events.map { event in
            if case .key(let key) = event { return key.description }
            return "\(event)"
        }.joined(separator: ",")
    }
}
