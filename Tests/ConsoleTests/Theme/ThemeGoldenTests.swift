import ControlProtocol
import Terminal
import Testing

@testable import Console

/// Whole screens in every theme, text and style, without a copy of the screen for each: a golden has the text and, as a
/// map of letters, the scope of each cell; another one has what each theme makes of the scopes; and a screen in a theme is
/// exactly the one put into the other. `RECORD=1` writes them anew.
struct ThemeGoldenTests {
    private static let sizes = [(6, 20), (20, 60), (24, 80), (43, 132), (60, 200)].map { Size(rows: $0, columns: $1) }
    private static let names = Theme.names(directory: nil)

    @Test(arguments: sizes)
    func theScreenIsThisTextInTheseScopes(size: Size) throws {
        let surface = ConsoleView.render(try call(), size: size, look: Look(theme: Self.scopes, glyphs: .utf8))
        var map = surface.styleLines
        for scope in Scope.allCases {
            let style = Self.scopes.style(scope.rawValue)
            map = map.map { $0.hasSuffix(" = \(style)") ? $0.replacing("\(style)", with: scope.rawValue) : $0 }
        }
        let text = (surface.lines + ["=== scopes"] + map).joined(separator: "\n") + "\n"
        try Golden.check(text, "scopes-\(size.columns)x\(size.rows)")
    }

    @Test(arguments: names)
    func theThemeMakesThisOfTheScopes(name: String) throws {
        let theme = Theme.load(name: name, directory: nil).theme
        var columns: [(depth: ColorDepth, name: String)] = [
            (.direct, "24 bits"), (.palette256, "256 colours"), (.sixteen, "16 colours"), (.eight, "8 colours"),
        ]
        // Where there are no colours, a theme of colours is not used.
        if theme.background == .any { columns.append((.mono, "none")) }
        let rows = Scope.allCases.map { scope in
            [scope.rawValue] + columns.map { "\(theme.style(scope.rawValue).reduced(to: $0.depth))" }
        }
        let table =
            ([[""] + columns.map(\.name)] + rows).map { row in
                row.enumerated().map { DisplayWidth.fit($1, $0 == 0 ? 17 : 37) }.joined().trimmedAtEnd
            }.joined(separator: "\n") + "\n"
        try Golden.check(table, "theme-\(name)")
    }

    @Test(arguments: names, sizes)
    func aThemeOnlyPutsItsStylesInThePlaceOfTheScopes(name: String, size: Size) throws {
        let model = try call()
        let theme = Theme.load(name: name, directory: nil).theme
        let styles = Dictionary(
            uniqueKeysWithValues: Scope.allCases.map { (Self.scopes.style($0.rawValue), theme.style($0.rawValue)) })
        let scopes = ConsoleView.render(model, size: size, look: Look(theme: Self.scopes, glyphs: .utf8))
        let shown = ConsoleView.render(model, size: size, look: Look(theme: theme, glyphs: .utf8))
        #expect(shown.cells.map(\.text) == scopes.cells.map(\.text))
        #expect(shown.cells.map(\.style) == scopes.cells.map { styles[$0.style] })
    }

    /// A theme in which each scope has a style of its own.
    private static let scopes = Theme(
        name: "scopes", author: nil, background: .any,
        styles: Dictionary(
            uniqueKeysWithValues: Scope.allCases.enumerated().map { index, scope in
                (scope.rawValue, Style(foreground: .rgb(red: UInt8(index), green: 1, blue: 1)))
            }))

    /// A call with as many scopes on the screen as may be.
    private func call() throws -> ConsoleModel {
        var fixture = try Fixture.inCall { state in
            state.audio.warnings = [.digitalSilence]
            state.calls["c1"]?.people["p4"]?.link = .restarting
            var muted = Participant(id: "p5", name: "eva")
            (muted.link, muted.isMuted) = (.connected, true)
            state.calls["c1"]?.people["p5"] = muted
            state.calls["c1"]?.order.append("p5")
        }
        var levels = Fixture.levels()
        levels.people["p2"] = -1
        levels.people["p5"] = -30
        fixture.send(levels)
        var statistics = Fixture.statistics()
        statistics.people["p2"]?.received?.lossPercent = 2
        fixture.send(statistics)
        try fixture.press("3")
        fixture.model.say("the core says something", .plain)
        try fixture.chat("good morning")
        fixture.model.say("chi loses a lot", .warning)
        fixture.model.say("no other picture: there is none", .error)
        return fixture.model
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
