/// Takes out of what ncurses draws the changes of colour and attributes that nothing would show.
///
/// ncurses goes back to the terminal's own look after every styled run, by three sequences, and does so for blanks too.
/// Meters are short runs, so that was a third of their bytes. Here a change waits until something is drawn that shows
/// it, and is then said in the shorter of two ways: from the present look, or from the terminal's own (ECMA-48 8.3.117).
struct PenTrimmer {
    /// What characters are drawn with.
    fileprivate struct Pen: Equatable {
        /// The parameters that select the colours, as ncurses wrote them; empty: the terminal's own.
        var foreground: [UInt8] = []
        var background: [UInt8] = []
        /// A bit for each of SGR's 1 to 9.
        var attributes: UInt16 = 0

        static let plain = Pen()
        private static let underline: UInt16 = 1 << 4
        private static let reverse: UInt16 = 1 << 7
        private static let crossedOut: UInt16 = 1 << 9

        /// Whether a blank looks the same by both.
        func blankEquals(_ other: Pen) -> Bool {
            let lines = Self.underline | Self.crossedOut
            guard attributes & (lines | Self.reverse) == 0, other.attributes & (lines | Self.reverse) == 0 else {
                return self == other
            }
            return background == other.background
        }
    }

    /// What the terminal draws with; `nil`: not known.
    private var shown: Pen?
    private var wanted = Pen.plain
    /// Whether something was selected that is not known here: the next known selection is said in full.
    private var isStrange = false
    /// Whether the terminal is known to draw ASCII, by its first set of characters and not by the second: line drawing by
    /// another set is never used here, and ncurses says so with every return to the terminal's own look.
    private var isASCII = false
    private var isShiftedIn = false
    /// Whether the terminal is one that takes 39 and 49 for its own colours.
    private var hasOwnColors = false
    private var out: [UInt8] = []

    /// Something else may have been drawn: the next change is said in full.
    mutating func forget() {
        (shown, isASCII, isShiftedIn) = (nil, false, false)
    }

    /// The bytes that draw the same. Sequences do not go on from one call to the next.
    mutating func trim(_ bytes: [UInt8]) -> [UInt8] {
        out.removeAll(keepingCapacity: true)
        var rest = bytes[...]
        while let byte = rest.first {
            switch byte {
            case 0x1B:
                let sequence = rest.prefix(Self.length(rest))
                rest = rest.dropFirst(sequence.count)
                take(sequence)
            case 0x08, 0x0D:
                out.append(byte)
                rest.removeFirst()
            case 0x0E, 0x0F:
                if byte == 0x0E || !isShiftedIn { out.append(byte) }
                isShiftedIn = byte == 0x0F
                rest.removeFirst()
            default:
                if byte == 0x20 { changeForBlank() } else { change() }
                out.append(byte)
                rest.removeFirst()
            }
        }
        return out
    }

    /// The bytes that bring the terminal to what ncurses takes it for.
    mutating func finish() -> [UInt8] {
        out.removeAll(keepingCapacity: true)
        change()
        return out
    }

    /// The length of the control sequence (ECMA-48 5.4) or of the shorter escape sequence at the beginning.
    private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
        let start = bytes.startIndex
        guard bytes.count > 1 else { return bytes.count }
        switch bytes[start + 1] {
        case UInt8(ascii: "["):
            let final = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
            return final.map { $0 - start + 1 } ?? bytes.count
        case 0x20...0x2F: return min(3, bytes.count)
        default: return 2
        }
    }

    private mutating func take(_ sequence: ArraySlice<UInt8>) {
        if sequence.elementsEqual([0x1B, UInt8(ascii: "("), UInt8(ascii: "B")]) {
            if !isASCII { out += sequence }
            isASCII = true
            return
        }
        let parameters = sequence.dropFirst(2).dropLast()
        let isControl = sequence.dropFirst().first == UInt8(ascii: "[") && !parameters.contains { $0 > 0x3B }
        switch (isControl, sequence.last) {
        case (true, UInt8(ascii: "m")) where wanted.select(parameters):
            if isStrange { (shown, isStrange) = (nil, false) }
            if parameters.elementsEqual("39;49".utf8) || parameters.elementsEqual("39".utf8) { hasOwnColors = true }
        // Where the cursor goes is the same with any pen.
        case (true, UInt8(ascii: "A")), (true, UInt8(ascii: "B")), (true, UInt8(ascii: "C")), (true, UInt8(ascii: "D")),
            (true, UInt8(ascii: "G")), (true, UInt8(ascii: "H")), (true, UInt8(ascii: "d")):
            out += sequence
        // What is erased has the background.
        case (true, UInt8(ascii: "X")), (true, UInt8(ascii: "K")), (true, UInt8(ascii: "J")):
            changeForBlank()
            out += sequence
        case (true, UInt8(ascii: "m")):
            change()
            out += sequence
            isStrange = true
        default:
            change()
            out += sequence
            if sequence.dropFirst().first == UInt8(ascii: "(") { isASCII = false }
        }
    }

    private mutating func changeForBlank() {
        if let shown, shown.blankEquals(wanted) { return }
        change()
    }

    private mutating func change() {
        guard shown != wanted else { return }
        let separator = [UInt8(ascii: ";")]
        // From the terminal's own look: 0, which alone need not be said.
        let whole = wanted.changes(from: .plain, hasOwnColors: true) ?? []
        var best = Array((whole.isEmpty ? [] : [[UInt8(ascii: "0")]] + whole).joined(separator: separator))
        if let shown, let step = wanted.changes(from: shown, hasOwnColors: hasOwnColors) {
            let short = Array(step.joined(separator: separator))
            if short.count < best.count { best = short }
        }
        out += [0x1B, UInt8(ascii: "[")] + best + [UInt8(ascii: "m")]
        shown = wanted
    }
}

extension PenTrimmer.Pen {
    /// The parameters that make this pen of `other`; `nil`: only by way of the terminal's own.
    fileprivate func changes(from other: Self, hasOwnColors: Bool) -> [[UInt8]]? {
        guard other.attributes & ~attributes == 0 else { return nil }
        let isBack = foreground.isEmpty && !other.foreground.isEmpty || background.isEmpty && !other.background.isEmpty
        guard hasOwnColors || !isBack else { return nil }
        var result: [[UInt8]] = (1...9).filter { (attributes & ~other.attributes) >> $0 & 1 == 1 }.map {
            [UInt8(ascii: "0") + UInt8($0)]
        }
        if foreground != other.foreground { result.append(foreground.isEmpty ? Array("39".utf8) : foreground) }
        if background != other.background { result.append(background.isEmpty ? Array("49".utf8) : background) }
        return result
    }

    /// Takes the parameters of an SGR sequence; `false`, and nothing changed: some of them are not known here.
    fileprivate mutating func select(_ parameters: ArraySlice<UInt8>) -> Bool {
        var pen = self
        var rest = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: UInt8(ascii: ":"))
            let number = parts.first.map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 } ?? 0
            switch number {
            case 0: pen = .plain
            case 1...9: pen.attributes |= 1 << number
            case 22: pen.attributes &= ~0b110
            case 23...29: pen.attributes &= ~(1 << (number - 20))
            case 30...37, 90...97: pen.foreground = Array(word)
            case 40...47, 100...107: pen.background = Array(word)
            case 39: pen.foreground = []
            case 49: pen.background = []
            case 38, 48:
                var color = [word]
                if parts.count == 1 {
                    let count = rest.first?.elementsEqual([UInt8(ascii: "2")]) == true ? 4 : 2
                    color += rest.prefix(count)
                    rest = rest.dropFirst(count)
                }
                let text = Array(color.joined(separator: [UInt8(ascii: ";")]))
                if number == 38 { pen.foreground = text } else { pen.background = text }
            default: return false
            }
        }
        self = pen
        return true
    }
}
