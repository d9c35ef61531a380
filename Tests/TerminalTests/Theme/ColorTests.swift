import Terminal
import Testing

struct ColorTests {
    @Test(arguments: [
        ("default", Color.standard), ("red", .indexed(1)), ("bright-white", .indexed(15)), ("0", .indexed(0)),
        ("255", .indexed(255)), ("#ff8000", .rgb(red: 255, green: 128, blue: 0)),
    ])
    func coloursAreRead(text: String, color: Color) {
        #expect(Color(parsing: text) == color)
        #expect(Color(parsing: "\(color)") == color)
    }

    @Test(arguments: ["", "256", "-1", "+5", "#fff", "#gggggg", "#1234567", "reddish"])
    func whatIsNoColourIsNil(text: String) {
        #expect(Color(parsing: text) == nil)
    }

    @Test(arguments: [
        ("#ff0000", ColorDepth.palette256, Color.indexed(196)), ("#808080", .palette256, .indexed(244)),
        ("#87d787", .palette256, .indexed(114)), ("#ff0000", .sixteen, .indexed(9)), ("196", .eight, .indexed(1)),
        ("12", .eight, .indexed(4)), ("#ffffff", .mono, .standard), ("7", .palette256, .indexed(7)),
    ])
    func coloursMapToTheNearestThatTheTerminalHas(text: String, depth: ColorDepth, shown: Color) throws {
        #expect(try #require(Color(parsing: text)).reduced(to: depth) == shown)
    }

    @Test func theDepthIsTheLargestThatTheTerminalCarries() {
        #expect(
            [0, 8, 16, 88, 256, 1 << 24].map(ColorDepth.init(colorCount:)) == [
                .mono, .eight, .sixteen, .sixteen, .palette256, .direct,
            ])
    }

    @Test(arguments: [
        ("#d75f5f;167;1", ["#d75f5f", "167", "red", "red"]),
        ("#d75f5f;167;9", ["#d75f5f", "167", "bright-red", "red"]),
        ("#002b36;234;default", ["#002b36", "234", "default", "default"]),
        ("#ff0000;9", ["#ff0000", "bright-red", "bright-red", "red"]),
        ("#ff0000; 196 ; red", ["#ff0000", "196", "red", "red"]),
        ("#ff0000", ["#ff0000", "196", "bright-red", "red"]), ("196", ["196", "196", "bright-red", "red"]),
    ])
    func anEntryOfThePaletteIsGradedByDepth(text: String, shown: [String]) throws {
        let color = try #require(Color(grades: text))
        #expect([.direct, .palette256, .sixteen, .eight].map { color.reduced(to: $0).description } == shown)
        #expect(Color(grades: color.description)?.reduced(to: .sixteen) == color.reduced(to: .sixteen))
    }

    @Test(arguments: ["#ff0000;", "red;1;1", "#ff0000;256;1", "#ff0000;1;#00ff00", "#ff0000;1;1;1", ";1;1"])
    func whatGradesNoColourIsNil(text: String) {
        #expect(Color(grades: text) == nil)
    }
}
