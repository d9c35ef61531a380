import Testing

@testable import Terminal

struct ColorVisionTests {
    private static let scales = [["meter", "meter.loud", "meter.clip"], ["loss", "loss.some", "loss.bad"]]

    @Test(arguments: [ColorDepth.direct, .palette256, .sixteen, .eight])
    func theColourBlindThemeKeepsItsScalesApart(depth: ColorDepth) {
        let theme = Theme.load(name: "colour-blind", directory: nil).theme
        #expect(ColorVision.confusions(of: theme, scales: Self.scales, depth: depth).isEmpty)
    }

    @Test func greenAndRedOfOneLightnessLookAlike() {
        let (green, red) = (RGB(red: 0x87, green: 0xD7, blue: 0x87), RGB(red: 0xFF, green: 0xB4, blue: 0x87))
        #expect(ColorVision.deuteranopia.difference(green, red) < ColorVision.least)
        let (blue, yellow) = (RGB(red: 0x56, green: 0xB4, blue: 0xE9), RGB(red: 0xF0, green: 0xE4, blue: 0x42))
        for vision in ColorVision.allCases { #expect(vision.difference(blue, yellow) > 100) }
    }

    /// Who lacks green or red cones sees greys, and what lies between yellow and blue, as others do.
    @Test(arguments: ColorVision.allCases)
    func greysAreSeenAsTheyAre(vision: ColorVision) {
        let (black, white) = (RGB(red: 0, green: 0, blue: 0), RGB(red: 255, green: 255, blue: 255))
        #expect(abs(vision.difference(black, white) - 100) < 0.5)
        #expect(vision.difference(white, white) == 0)
    }

    @Test func aConfusionNamesScopesAndVision() {
        let theme = Theme.load(name: "dark", directory: nil).theme
        let confusions = ColorVision.confusions(
            of: theme, scales: [["person.speaking", "person.lost"]], depth: .direct)
        #expect(
            confusions.map(\.description) == [
                "person.speaking and person.lost look alike in deuteranopia: a difference of 6"
            ])
    }

    @Test func whatIsUnderlinedNeedsNoColour() {
        let theme = Theme.load(name: "mono", directory: nil).theme
        #expect(ColorVision.confusions(of: theme, scales: [["loss", "loss.some"]], depth: .mono).isEmpty)
    }
}
