import Glibc
import KeyFiles
import Primitives
import Testing

@testable import Terminal

struct ThemeTests {
    private static let names = ["dark", "light", "mono"]

    /// The source tree's `themes/`.
    private static let directory: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/themes"
    }()

    @Test(arguments: names)
    func theEmbeddedThemeIsTheFileThatUsersCopy(name: String) throws {
        let path = "\(Self.directory)/\(name).theme"
        let stream = try #require(fopen(path, "r"), "no \(path)")
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 100_000)
        let count = fread(&bytes, 1, bytes.count, stream)
        #expect(EmbeddedThemes.text(of: name) == String(decoding: bytes[..<count], as: UTF8.self))
    }

    @Test(arguments: names)
    func everyThemeLoadsWithoutAWarning(name: String) {
        let loaded = Theme.load(name: name, directory: Self.directory)
        #expect(loaded.warnings.isEmpty)
        #expect(!loaded.theme.styles.isEmpty)
    }

    @Test(arguments: names, [ColorDepth.palette256, .mono])
    func everyThemeIsReadable(name: String, depth: ColorDepth) {
        #expect(Contrast.problems(of: Theme.load(name: name, directory: nil).theme, depth: depth).isEmpty)
    }

    @Test(arguments: names, [ColorDepth.sixteen, .eight])
    func theMicrophoneLineIsReadableWithFewColours(name: String, depth: ColorDepth) {
        let theme = Theme.load(name: name, directory: nil).theme
        let problems = Contrast.problems(of: theme, depth: depth).filter { $0.scope.hasPrefix("mic") }
        #expect(problems.isEmpty)
    }

    @Test func theContrastCheckFindsWhatIsHardToRead() throws {
        let theme = try load("[styles]\nbad = #444444\nworse = 1 on 2\ngood = white on black")
        #expect(Contrast.problems(of: theme.theme, depth: .palette256).map(\.scope) == ["bad", "worse"])
    }

    @Test func aScopeFallsBackToTheShorterOne() throws {
        let theme = try load("[styles]\na = red\na.b = bold\n").theme
        #expect(theme.style("a.b") == Style(attributes: .bold))
        #expect(theme.style("a.c.d") == Style(foreground: .indexed(1)))
        #expect(theme.style("ab") == .plain)
    }

    @Test func anHeirRecoloursWhatItInherits() throws {
        let parent = "[palette]\nmain = red\n[styles]\na = main\nb = bold main\n"
        let theme = try load(
            "[theme]\ninherits = parent\nbackground = light\n[palette]\nmain = #0000ff\n[styles]\nb = dim", parent)
        #expect(theme.theme.style("a") == Style(foreground: .rgb(red: 0, green: 0, blue: 255)))
        #expect(theme.theme.style("b") == Style(attributes: .dim))
        #expect(theme.theme.background == .light)
        #expect(theme.warnings.isEmpty)
    }

    @Test(arguments: [
        ("[styles]\na = red nonsense\nb = bold", "x.theme:2: a: \"nonsense\" is neither an attribute nor a colour"),
        ("[styles]\na = red on\nb = bold", "x.theme:2: a: no colour follows \"on\""),
        ("[styles]\na = red blue\nb = bold", "x.theme:2: a: \"blue\" is one colour too many"),
        ("[palette]\nc = #12\n[styles]\nb = bold", "x.theme:2: \"#12\" is no colour"),
        ("[theme]\ninherits = x\n[styles]\nb = bold", "x.theme:2: \"x\" inherits from itself"),
        ("[theme]\ninherits = nope\n[styles]\nb = bold", "x.theme:2: there is no theme \"nope\""),
        (
            "[theme]\nbackground = blue\n[styles]\nb = bold",
            "x.theme: \"blue\" is not one of its values; use one of: dark, light, any"
        ),
        ("[sytles]\n[styles]\nb = bold", "x.theme: [sytles] means nothing in a theme"),
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
        let seed = Array((EmbeddedThemes.text(of: "light") ?? "").utf8)
        let directory = try Scratch()
        for _ in 0..<500 {
            var bytes = seed
            for _ in 0..<8 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            directory.write(bytes, to: "x.theme")
            let theme = Theme.load(name: "x", directory: directory.path).theme
            _ = theme.style("mic.live").reduced(to: .sixteen)
        }
    }

    private func load(_ text: String, _ parent: String? = nil) throws -> Theme.Loaded {
        let directory = try Scratch()
        directory.write(Array(text.utf8), to: "x.theme")
        if let parent { directory.write(Array(parent.utf8), to: "parent.theme") }
        return Theme.load(name: "x", directory: directory.path)
    }
}

/// A directory that goes with its owner.
private final class Scratch {
    let path: String
    private var files: Set<String> = []

    init() throws {
        var template = Array("/tmp/hoot-theme-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    func write(_ bytes: [UInt8], to name: String) {
        files.insert(name)
        guard let stream = fopen("\(path)/\(name)", "w") else { return }
        fwrite(bytes, 1, bytes.count, stream)
        fclose(stream)
    }

    deinit {
        for name in files { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
