import Testing

@testable import Devices

/// The font has what terminals draw with, and something for everything else.
@Suite struct BitmapFontTests {
    private let font = BitmapFont.standard
    private var unknown: [UInt8] { Array(font.glyph(0x10_ffff)) }

    @Test(arguments: [0x20...0x7e, 0xa0...0x17f, 0x410...0x44f, 0x2500...0x259f, 0x2800...0x28ff])
    func everyCharacterOfTheRangeHasItsGlyph(range: ClosedRange<UInt32>) {
        for character in range where character != 0xad {
            #expect(font.glyph(character).count == BitmapFont.height)
            #expect(Array(font.glyph(character)) != unknown, "U+\(String(character, radix: 16))")
        }
    }

    @Test func aGlyphLooksAsItShould() {
        #expect(Array(font.glyph(0x2588)) == [UInt8](repeating: 0xff, count: 13))
        #expect(font.glyph(0x2500).filter { $0 == 0xff }.count == 1)
        #expect(Array(font.glyph(0x20)) == [UInt8](repeating: 0, count: 13))
        #expect(font.glyph(0x28ff).reduce(0) { $0 + $1.nonzeroBitCount } == 32)
    }

    @Test func whatHasNoGlyphIsABox() {
        for character: UInt32 in [0x4e00, 0x1f600, 0xffff_ffff] { #expect(Array(font.glyph(character)) == unknown) }
        #expect(unknown.count == BitmapFont.height)
    }
}
