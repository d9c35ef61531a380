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
                .mono, .eight, .sixteen, .sixteen, .palette256, .palette256,
            ])
    }
}
