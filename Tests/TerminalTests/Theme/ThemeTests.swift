import Foundation
import KeyFiles
import Primitives
import TestSupport
import Testing

@testable import Terminal

struct ThemeTests {
    private static let names = Theme.names(directory: nil)
    private static let depths: [ColorDepth] = [.direct, .palette256, .sixteen, .eight, .mono]
    /// Made from palettes that were published with less contrast than our own themes have.
    private static let softer: Set<String> = [
        "solarized-dark", "solarized-light", "gruvbox-dark", "gruvbox-light", "nord",
    ]

    /// The source tree's `themes/`.
    private static let directory: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/themes"
    }()

    @Test func theBinaryHasEveryThemeOfTheTree() {
        #expect(Theme.names(directory: Self.directory) == Self.names)
        #expect(Set(ThemeLoader.names(in: Self.directory)) == Set(Self.names))
    }

    @Test(arguments: names)
    func theThemeInTheBinaryIsTheFileThatUsersCopy(name: String) throws {
        let bytes = try RegularFile.read("\(Self.directory)/\(name).theme")
        #expect(EmbeddedThemes.bytes(of: name) == bytes)
    }

    @Test(arguments: names)
    func everyThemeLoadsWithoutAWarning(name: String) {
        let loaded = Theme.load(name: name, directory: Self.directory)
        #expect(loaded.warnings.isEmpty)
        #expect(!loaded.theme.styles.isEmpty)
        #expect(loaded.theme.author?.isEmpty == false)
    }

    @Test(arguments: names, depths)
    func everyThemeIsReadable(name: String, depth: ColorDepth) {
        let isSoft = Self.softer.contains(name) || depth == .sixteen || depth == .eight
        let theme = Theme.load(name: name, directory: nil).theme
        #expect(Contrast.problems(of: theme, depth: depth, least: isSoft ? 2.9 : Contrast.least).isEmpty)
    }

    @Test(arguments: [ColorDepth.direct, .palette256])
    func highContrastIsEnhancedContrast(depth: ColorDepth) {
        let theme = Theme.load(name: "high-contrast", directory: nil).theme
        #expect(Contrast.problems(of: theme, depth: depth, least: 7).isEmpty)
    }

    @Test func theContrastCheckFindsWhatIsHardToRead() throws {
        let theme = try load("[style]\nbad = #444444\nworse = 1 on 2\ngood = white on black")
        #expect(Contrast.problems(of: theme.theme, depth: .palette256).map(\.scope) == ["bad", "worse"])
    }

    @Test func aScopeFallsBackToTheShorterOne() throws {
        let theme = try load("[style]\na = red\na.b = bold\n").theme
        #expect(theme.style("a.b") == Style(attributes: .bold))
        #expect(theme.style("a.c.d") == Style(foreground: .indexed(1)))
        #expect(theme.style("ab") == .plain)
    }

    @Test func whatAStyleLeavesOpenIsTheTexts() throws {
        let theme = try load("[style]\ntext = red on blue bold\na = green\nb = underline on black").theme
        #expect(theme.style("a") == Style(foreground: .indexed(2), background: .indexed(4)))
        #expect(theme.style("b") == Style(foreground: .indexed(1), background: .indexed(0), attributes: .underline))
    }

    @Test func aPaletteHasAColourForEachKindOfTerminal() throws {
        let theme = try load("[palette]\nhot = #d75f5f;167;1\n[style]\nmic.live = black on hot bold").theme
        let style = theme.style("mic.live")
        #expect(style.attributes == .bold)
        #expect(style.reduced(to: .direct).background == .rgb(red: 0xD7, green: 0x5F, blue: 0x5F))
        #expect(style.reduced(to: .palette256).background == .indexed(167))
        #expect(style.reduced(to: .sixteen).background == .indexed(1))
        #expect(style.reduced(to: .eight).background == .indexed(1))
        #expect(style.reduced(to: .mono) == Style(attributes: [.bold, .reverse]))
    }

    @Test func anHeirRecoloursWhatItInherits() throws {
        let parent = "[palette]\nmain = red\n[style]\na = main\nb = bold main\n"
        let theme = try load(
            "[theme]\ninherits = parent\nbackground = light\n[palette]\nmain = #0000ff\n[style]\nb = dim", parent)
        #expect(theme.theme.style("a") == Style(foreground: .rgb(red: 0, green: 0, blue: 255)))
        #expect(theme.theme.style("b") == Style(attributes: .dim))
        #expect(theme.theme.background == .light)
        #expect(theme.warnings.isEmpty)
    }

    @Test(arguments: [
        ("[style]\na = red nonsense\nb = bold", "x.theme:2: a: \"nonsense\" is neither an attribute nor a colour"),
        ("[style]\na = red on\nb = bold", "x.theme:2: a: no colour follows \"on\""),
        ("[style]\na = red blue\nb = bold", "x.theme:2: a: \"blue\" is one colour too many"),
        ("[palette]\nc = #12\n[style]\nb = bold", "x.theme:2: \"#12\" is no colour"),
        ("[theme]\ninherits = x\n[style]\nb = bold", "x.theme:2: \"x\" inherits from itself"),
        ("[theme]\ninherits = nope\n[style]\nb = bold", "x.theme:2: there is no theme \"nope\""),
        ("[palette]\nc = #d75f5f;167;16\n[style]\nb = bold", "x.theme:2: \"#d75f5f;167;16\" is no colour"),
        ("[palette]\nc = 12;167;1\n[style]\nb = bold", "x.theme:2: \"12;167;1\" is no colour"),
        ("[theme]\nauthr = me\n[style]\nb = bold", "x.theme:2: \"authr\" means nothing in [theme]"),
        (
            "[theme]\nbackground = blue\n[style]\nb = bold",
            "x.theme: \"blue\" is not one of its values; use one of: dark, light, any"
        ),
        ("[sytles]\n[style]\nb = bold", "x.theme: [sytles] means nothing in a theme"),
    ])
    func aBadEntryIsAWarningAndTheRestHolds(text: String, warning: String) throws {
        let loaded = try load(text)
        #expect(loaded.warnings.map { "\($0)".replacing(/^.*\//, with: "") } == [warning])
        #expect(loaded.theme.style("b") == Style(attributes: .bold))
    }

    @Test func unknownScopesAreNamedWhenTheKnownOnesAreGiven() {
        let known: Set<String> = ["text"]
        let warnings = Theme.load(name: "mono", directory: nil, knownScopes: known).warnings
        #expect(warnings.contains { $0.message == "nothing has the scope \"mic.live\"" && $0.line != nil })
    }

    @Test(arguments: ["nope", "", "../dark", "a/b"])
    func anUnknownThemeIsTheDarkOneWithAWarning(name: String) {
        let loaded = Theme.load(name: name, directory: "/tmp")
        #expect(loaded.theme.styles == Theme.standard.styles)
        #expect(loaded.warnings.map(\.message) == ["no theme of that name; the dark theme is used"])
    }

    @Test func mutationsOfAThemeNeverTrap() throws {
        var random = SplitMix64(seed: 9)
        let seed = (EmbeddedThemes.bytes(of: "light") ?? [])
        let directory = try TemporaryDirectory()
        try #require(!seed.isEmpty)
        for _ in 0..<500 {
            var bytes = seed
            for _ in 0..<8 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: directory.path + "/x.theme"))
            let theme = Theme.load(name: "x", directory: directory.path).theme
            _ = theme.style("mic.live").reduced(to: .sixteen)
        }
    }

    private func load(_ text: String, _ parent: String? = nil) throws -> Theme.Loaded {
        let directory = try TemporaryDirectory()
        try Data(Array(text.utf8)).write(to: URL(fileURLWithPath: directory.path + "/x.theme"))
        if let parent { try Data(Array(parent.utf8)).write(to: URL(fileURLWithPath: directory.path + "/parent.theme")) }
        return Theme.load(name: "x", directory: directory.path)
    }
}
