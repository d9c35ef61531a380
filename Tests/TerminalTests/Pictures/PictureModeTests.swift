import Terminal
import Testing

struct PictureModeTests {
    @Test(arguments: [
        ("xterm-256color", ColorDepth.palette256, true, false, PictureMode(glyphs: .quadrant, colors: .palette)),
        ("xterm-kitty", .palette256, true, true, PictureMode(glyphs: .sextant, colors: .direct)),
        ("foot", .palette256, true, false, PictureMode(glyphs: .sextant, colors: .palette)),
        ("xterm-256color", .palette256, false, true, PictureMode(glyphs: .ascii, colors: .direct)),
        ("linux", .eight, true, false, PictureMode(glyphs: .ascii, colors: .first(8))),
        ("vt100", .mono, true, false, PictureMode(glyphs: .ascii, colors: .none)),
        ("xterm-16color", .sixteen, true, true, PictureMode(glyphs: .ascii, colors: .first(16))),
    ])
    func theTerminalDecides(term: String, depth: ColorDepth, isUTF8: Bool, hasDirect: Bool, mode: PictureMode) {
        let environment = TerminalEnvironment(term: term, isUTF8: isUTF8, noColor: false, hasDirectColor: hasDirect)
        #expect(PictureMode(environment, depth: depth, isUTF8: isUTF8) == mode)
    }

    @Test func aWishIsTakenAsFarAsTheTerminalGoes() {
        let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)
        #expect(PictureMode(environment, depth: .palette256, isUTF8: true, wish: .sextant).glyphs == .sextant)
        #expect(PictureMode(environment, depth: .palette256, isUTF8: true, wish: .half).glyphs == .half)
        #expect(PictureMode(environment, depth: .palette256, isUTF8: false, wish: .sextant).glyphs == .ascii)
        #expect(PictureMode(environment, depth: .eight, isUTF8: true, wish: .sextant).glyphs == .ascii)
    }
}
