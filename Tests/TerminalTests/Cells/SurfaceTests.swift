import Terminal
import Testing

struct SurfaceTests {
    private let bold = Style(attributes: .bold)

    @Test func textIsPutAndClippedOnEverySide() {
        var surface = Surface(size: Size(rows: 2, columns: 6))
        #expect(surface.put("hello", row: 0, column: 3) == 6)
        surface.put("hello", row: 1, column: -2)
        surface.put("gone", row: 2, column: 0)
        surface.put("gone", row: -1, column: 0)
        surface.put("gone", row: 0, column: 40)
        #expect(surface.lines == ["   hel", "llo"])
    }

    @Test func aWideGraphemeTakesTwoCellsAndNeverHalfOfOne() {
        var surface = Surface(size: Size(rows: 3, columns: 5))
        surface.put("日本語", row: 0, column: 0)
        surface.put("日本", row: 1, column: -1)
        surface.put("日本", row: 2, column: 0)
        surface.put("x", row: 2, column: 1)
        #expect(surface.lines == ["日本", " 本", " x本"])
        #expect(surface[0, 1].isTail && !surface[0, 4].isTail)
        surface.put("y", row: 2, column: 2)
        #expect(surface.lines[2] == " xy")
        #expect(!surface[2, 3].isTail)
    }

    @Test func limitEndsTheText() {
        var surface = Surface(size: Size(rows: 1, columns: 10))
        #expect(surface.put("日本", row: 0, column: 1, limit: 3) == 3)
        #expect(surface.lines == [" 日"])
    }

    @Test func fillsAndPlacedSurfacesAreClipped() {
        var surface = Surface(size: Size(rows: 3, columns: 4))
        surface.fill(row: -1, column: 2, height: 3, width: 9, with: "#", style: bold)
        var inner = Surface(size: Size(rows: 2, columns: 2))
        inner.put("ab", row: 0, column: 0)
        inner.cursor = Position(row: 1, column: 1)
        surface.place(inner, row: 2, column: 3)
        #expect(surface.lines == ["  ##", "  ##", "   a"])
        #expect(surface.cursor == Position(row: 3, column: 4))
        #expect(surface.styleLines == ["..aa", "..aa", "....", "a = bold"])
    }

    @Test func theASCIIFormReplacesWhatItCannotShow() {
        var surface = Surface(size: Size(rows: 1, columns: 6))
        surface.put("a日é█", row: 0, column: 0)
        #expect(surface.asciiOnly().lines == ["a????"])
        surface.put("“4×3”", row: 0, column: 0)
        #expect(surface.asciiOnly().lines == ["\"4x3\""])
    }

    @Test(arguments: [(0, 0), (0, 5), (1, 0)])
    func emptySurfacesTakeAnything(rows: Int, columns: Int) {
        var surface = Surface(size: Size(rows: rows, columns: columns))
        surface.put("日x", row: 0, column: 0)
        surface.fill(row: 0)
        surface.restyle(row: 0, column: 0, width: 9) { $0 }
        #expect(surface.cells.count == rows * columns)
    }

    @Test func stylesReduceToWhatTheTerminalHas() {
        let white = Color.rgb(red: 255, green: 255, blue: 255)
        let style = Style(foreground: white, background: .rgb(red: 200, green: 0, blue: 0))
        #expect(style.reduced(to: .palette256) == Style(foreground: .indexed(231), background: .indexed(160)))
        #expect(style.reduced(to: .sixteen) == Style(foreground: .indexed(15), background: .indexed(1)))
        #expect(style.reduced(to: .mono) == Style(attributes: .reverse))
        let bright = Style(foreground: .indexed(9)).reduced(to: .eight)
        #expect(bright == Style(foreground: .indexed(1), attributes: .bold))
    }

    @Test func reducingNeverPaintsAColourOnItself() {
        let style = Style(foreground: .indexed(15), background: .indexed(7))
        #expect(style.reduced(to: .eight).foreground != style.reduced(to: .eight).background)
    }
}
