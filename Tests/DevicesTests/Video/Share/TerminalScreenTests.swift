import CVterm
import MediaEngine
import Primitives
import Testing

@testable import Devices

/// What a terminal shows, as libvterm keeps it, and what becomes dirty by it.
@Suite struct TerminalScreenTests {
    private let screen: TerminalScreen

    init() throws {
        screen = try #require(TerminalScreen(.standard))
        _ = screen.takeDirty()
    }

    private func write(_ text: String) {
        screen.write(text.utf8)
    }

    private func text(_ row: Int) -> String {
        let scalars = (0..<screen.size.columns).compactMap { column -> Unicode.Scalar? in
            let character = screen.cell(row: row, column: column).character
            return character == 0 ? " " : Unicode.Scalar(character)
        }
        return String(String.UnicodeScalarView(scalars)).trimmingSuffix(" ")
    }

    @Test func charactersMayBeCutAnywhere() {
        let bytes = Array("Grüße ─┼─ €".utf8)
        for byte in bytes { screen.write([byte]) }
        #expect(text(0) == "Grüße ─┼─ €")
    }

    @Test func onlyWhatChangedIsDirty() {
        #expect(!screen.isDirty)
        write("\u{1b}[5;10Habc")
        let dirty = screen.takeDirty()
        #expect(dirty.map(\.row) == [0, 4])
        #expect(dirty.first?.columns == 0..<1, "the cursor left")
        #expect(dirty.last?.columns == 9..<13, "three letters and the cursor")
        #expect(!screen.isDirty)
    }

    @Test func colorsAreDirectIndexedOrGrey() {
        write("\u{1b}[?25l\u{1b}[38;2;10;20;30mA\u{1b}[48;5;196mB\u{1b}[0;38;5;244mC\u{1b}[0;7mD")
        #expect(screen.cell(row: 0, column: 0).foreground == 0x0a141e)
        #expect(screen.cell(row: 0, column: 1).background == 0xff0000)
        #expect(abs(Int(screen.cell(row: 0, column: 2).foreground & 0xff) - 0x80) < 16)
        let reversed = screen.cell(row: 0, column: 3)
        let plain = screen.cell(row: 1, column: 3)
        #expect(reversed.background == plain.foreground && reversed.foreground == plain.background)
    }

    @Test func theCursorIsACellTurnedAround() {
        write("ab")
        let plain = screen.cell(row: 3, column: 3)
        #expect(screen.cell(row: 0, column: 2).background == plain.foreground)
        write("\u{1b}[?25l")
        #expect(screen.cell(row: 0, column: 2).background == plain.background)
        #expect(screen.isDirty)
    }

    @Test func theOtherScreenComesAndGoes() {
        write("below\u{1b}[?1049h\u{1b}[2J\u{1b}[Habove")
        #expect(text(0) == "above")
        write("\u{1b}[?1049l")
        #expect(text(0) == "below")
    }

    @Test func questionsAreAnswered() {
        write("\u{1b}[6n")
        #expect(screen.takeReplies() == Array("\u{1b}[1;1R".utf8))
        #expect(screen.takeReplies().isEmpty)
    }

    @Test func resizingKeepsWhatFits() {
        write("hello")
        screen.resize(TerminalSize(columns: 40, rows: 10))
        #expect(text(0) == "hello")
        #expect(screen.takeDirty().count == 10)
        screen.resize(TerminalSize(columns: 132, rows: 43))
        write("\u{1b}[43;132Hx")
        #expect(screen.cell(row: 42, column: 131).character == 0x78)
    }

    @Test func sizesAreBroughtIntoBounds() {
        #expect(TerminalSize(columns: 1, rows: 0) == TerminalSize(columns: 20, rows: 6))
        #expect(TerminalSize(columns: 9999, rows: 9999) == TerminalSize(columns: 240, rows: 80))
    }

    /// Programs write anything: whole sequences, cut ones, absurd numbers, other people's bytes.
    @Test func mutatedStreamsNeverHarm() {
        let corpus = [
            "\u{1b}[2J\u{1b}[1;1H\u{1b}[38;5;12mls\u{1b}[0m -l\r\n",
            "\u{1b}[?1049h\u{1b}[10;20r\u{1b}[5L\u{1b}[3M\u{1b}[2P",
            "\u{1b}]0;title\u{7}\u{1b}[?25l\u{1b}[6n\u{1b}[c", "日本語 e\u{301} \u{1f600} ─│┌┐ \u{200d}",
            "\u{1b}[999999999;999999999H\u{1b}[2147483647@x\u{1b}[4294967296S",
            "\u{1b}P1$r0m\u{1b}\\\u{1b}#8\u{1b}(0lqk",
            "\t\u{8}\u{8}\r\n\n\n\u{b}\u{c}\u{1b}M\u{1b}D\u{1b}E\u{1b}7\u{1b}8\u{1b}c",
            "\u{1b}[38;2;1;2;3;48;5;300;1;3;4;7;9mX\u{1b}[?69h\u{1b}[2;5s\u{1b}[4h\u{1b}[?5h\u{1b}[?7l",
        ].map { Array($0.utf8) }
        var random = SplitMix64(seed: 4)
        var painter = TerminalPainter(.standard)
        for round in 0..<20_000 {
            var bytes = corpus[Int.random(in: 0..<corpus.count, using: &random)]
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0x20...0x3f, using: &random), at: place)
                case 2: bytes.insert(contentsOf: [0x1b, UInt8.random(in: 0x40...0x5f, using: &random)], at: place)
                default: bytes = Array(bytes.prefix(place + 1))
                }
            }
            screen.write(bytes)
            if round % 97 == 0 {
                let size = TerminalSize(
                    columns: Int.random(in: 0...260, using: &random), rows: Int.random(in: 0...90, using: &random))
                screen.resize(size)
                let frame = painter.draw(screen, at: .zero)
                #expect(frame.size == screen.size.pixels)
                #expect(frame.bytes.count == frame.size.area + 2 * frame.size.chroma.area)
            }
            if round % 31 == 0 { _ = screen.takeReplies() }
        }
        screen.resize(.standard)
        write("\u{1b}c\u{1b}[0m\u{1b}[2J\u{1b}[Hstill here")
        #expect(text(0) == "still here")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self
        while text.last == character { text.removeLast() }
        return text
    }
}
