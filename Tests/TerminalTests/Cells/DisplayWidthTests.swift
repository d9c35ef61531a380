import Terminal
import Testing

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("chi", 3), ("café", 4), ("cafe\u{301}", 4), ("日本", 4), ("ｆｕ", 4), ("한국", 4), ("🙂", 2), ("👍🏽", 2),
        ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 1), ("█▎", 2), ("–", 1), ("ไม้", 2), ("العربية", 7),
    ])
    func columns(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [
        ("a\u{1B}[31mb", "a␛[31mb"), ("a\nb", "a␊b"), ("\r\n", "␍␊"), ("x\u{202E}y", "x\u{FFFD}y"),
        ("x\u{2066}y", "x\u{FFFD}y"), ("ali\u{200B}ce", "ali\u{FFFD}ce"), ("\u{9B}m", "\u{FFFD}m"), ("\u{7F}", "␡"),
        ("👩‍👧", "👩"), ("🇩🇪", "DE"), ("❤️", "❤"), ("\u{301}", "\u{FFFD}"), ("a\u{2028}b", "a\u{FFFD}b"),
    ])
    func whatCouldHarmIsShownAsItself(text: String, shown: String) {
        #expect(String(DisplayWidth.clusters(of: text).map(\.text)) == shown)
    }

    @Test func aPileOfMarksIsCut() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 50)
        #expect(DisplayWidth.clusters(of: zalgo).map(\.text.unicodeScalars.count) == [5])
    }

    @Test func everyScalarHasAWidthAndNothingInvisibleComesThrough() {
        for value in UInt32(0)...0x3FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let clusters = DisplayWidth.clusters(of: String(Character(scalar)))
            #expect(clusters.count == 1 && (1...2).contains(clusters[0].width))
            #expect(clusters[0].text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format })
        }
    }

    @Test func fittingCutsWithAnEllipsisAndPadsToTheColumn() {
        #expect(DisplayWidth.fit("chi", 5) == "chi  ")
        #expect(DisplayWidth.fit("christina", 5) == "chri…")
        #expect(DisplayWidth.fit("日本語", 5) == "日本…")
        #expect(DisplayWidth.fit("日本語", 4) == "日… ")
        #expect(DisplayWidth.clip("christina", 6, ellipsis: "...") == "chr...")
        #expect(DisplayWidth.clip("chi", 0).isEmpty)
    }
}
