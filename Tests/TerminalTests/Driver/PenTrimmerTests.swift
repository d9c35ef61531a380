import Primitives
import Testing

@testable import Terminal

struct PenTrimmerTests {
    private static let e = "\u{1B}"

    private static func trim(_ text: String, after former: String = "\u{1B}(B\u{1B}[0m ") -> String {
        var pen = PenTrimmer()
        _ = pen.trim(Array(former.utf8))
        return String(decoding: pen.trim(Array(text.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        // After a meter: back to the terminal's own look for blanks and for a move.
        (
            "[38;5;114m███[39m(B[m   [4;9H[38;5;114m█", "[38;5;114m███   [4;9H█"
        ),
        ("[38;5;114m█[39m(B[mx", "[38;5;114m█[mx"),
        ("[31mx[39m(B[0;1mx", "[31mx[0;1mx"),
        ("[31mx[1mx", "[31mx[1mx"), ("[1mx[31mx", "[1mx[31mx"),
        ("[1;31mx[mx", "[0;1;31mx[mx"),
        // A blank shows its background, and lines under it.
        ("[41m [m x", "[0;41m [m x"), ("[4m [m x", "[0;4m [m x"), ("[7m [m x", "[0;7m [m x"),
        ("[31m[9X[m", "[9X"), ("[41m[9X[m", "[0;41m[9X"),
        // What is not known here goes through, and everything is said anew afterwards.
        ("[31mx[99mx[31mx", "[31mx[99mx[0;31mx"),
        ("[31m[?25hx", "[31m[?25hx"), ("(0q(Bx", "(0q(Bx"),
        ("[38:2::1:2:3mx[48;2;1;2;3mx", "[38:2::1:2:3mx[48;2;1;2;3mx"),
        ("[31mx[m\u{F}  [31mx[m\u{F}y", "[31mx\u{F}  x[my"), ("\u{E}q\u{F}x", "\u{E}q\u{F}x"),
        ("[", "["), ("", ""),
    ])
    func changesThatNothingShowsAreLeftOut(drawn: String, sent: String) {
        let trimmed = Self.trim(Self.escaped(drawn))
        // Of two ways of the same length either will do.
        #expect(trimmed == Self.escaped(sent) || trimmed == Self.escaped(sent.replacing("[0;", with: "[")))
    }

    /// `[…` and `(…` are written without their escapes above.
    private static func escaped(_ text: String) -> String {
        text.replacing("[", with: e + "[").replacing("(", with: e + "(")
    }

    @Test func everyCellLooksTheSame() {
        var random = SplitMix64(seed: 9)
        let looks = [
            "[m", "[39;49m", "[39m(B[m", "[1m", "(B[0;1m", "[31m", "[38;5;114m", "[48;5;16m", "[4m", "[7m", "[39m",
            "[38;2;1;2;3m", "[22m", "[24m", "[27m", "[91m",
        ]
        let texts = ["x", "█▎", "   ", " ", "[7X", "-41", "[K"]
        for _ in 0..<300 {
            var stream = "[m(B"
            for _ in 0..<60 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    let (row, column) = (Int.random(in: 1...5, using: &random), Int.random(in: 1...30, using: &random))
                    stream += "[\(row);\(column)H"
                case 1: stream += looks.randomElement(using: &random) ?? ""
                default: stream += texts.randomElement(using: &random) ?? ""
                }
            }
            stream = Self.escaped(stream)
            var (pen, trimmed) = (PenTrimmer(), "")
            trimmed = String(decoding: pen.trim(Array(stream.utf8)), as: UTF8.self)
            trimmed += String(decoding: pen.finish(), as: UTF8.self)
            let (all, less) = (Sheet(stream), Sheet(trimmed))
            #expect(all == less, "\(stream.debugDescription) became \(trimmed.debugDescription)")
            #expect(trimmed.utf8.count <= stream.utf8.count + 6)
        }
    }

    /// What a terminal shows of moves, text, erasing and looks, written apart from what is tested.
    private struct Sheet: Equatable {
        private struct Look: Hashable {
            var foreground = ""
            var background = ""
            var attributes: Set<Int> = []
        }

        private struct Cell: Equatable {
            var text: Character = " "
            var look = Look()
        }

        private var cells = Array(repeating: Cell(), count: 5 * 40)
        private var look = Look()

        init(_ stream: String) {
            var place = 0
            var rest = Array(stream.unicodeScalars)[...]
            while let scalar = rest.popFirst() {
                guard scalar == "\u{1B}" else {
                    put(Character(scalar), place)
                    place += 1
                    continue
                }
                guard rest.popFirst() == "[" else {
                    rest.removeFirst()
                    continue
                }
                let end = rest.firstIndex { $0.value >= 0x40 } ?? rest.endIndex
                let body = String(String.UnicodeScalarView(rest[..<end]))
                let numbers = body.split(separator: ";").compactMap { Int($0) }
                switch rest[end] {
                case "H": place = (numbers[0] - 1) * 40 + numbers[1] - 1
                case "X": for offset in 0..<numbers[0] { put(" ", place + offset) }
                case "K": for cell in place..<(place / 40 + 1) * 40 { put(" ", cell) }
                default: select(numbers)
                }
                rest = rest[(end + 1)...]
            }
        }

        private mutating func put(_ text: Character, _ place: Int) {
            guard cells.indices.contains(place) else { return }
            var look = look
            // No line, no reversal: of a blank its background is seen.
            if text == " ", look.attributes.isDisjoint(with: [4, 7]) { look.foreground = "" }
            look.attributes.formIntersection(text == " " ? [4, 7] : [1, 4, 7])
            cells[place] = Cell(text: text, look: look)
        }

        private mutating func select(_ numbers: [Int]) {
            var rest = numbers.isEmpty ? [0] : numbers[...]
            while let number = rest.popFirst() {
                switch number {
                case 0: look = Look()
                case 22: look.attributes.remove(1)
                case 24, 27: look.attributes.remove(number - 20)
                case 1, 4, 7: look.attributes.insert(number)
                case 39: look.foreground = ""
                case 49: look.background = ""
                case 38, 48:
                    let color = rest.prefix(rest.first == 5 ? 2 : 4)
                    rest = rest.dropFirst(color.count)
                    if number == 38 { look.foreground = "\(color)" } else { look.background = "\(color)" }
                default: look.foreground = "\(number)"
                }
            }
        }
    }
}
