package import Terminal

/// How views draw: the theme's styles and the glyphs that the terminal can show.
package struct Look: Sendable {
    package let glyphs: Glyphs
    /// How QR codes are drawn.
    let qrCode: QRCodeLook
    private let styles: [Scope: Style]

    package init(theme: Theme, glyphs: Glyphs, depth: ColorDepth = .palette256) {
        self.glyphs = glyphs
        qrCode = QRCodeLook(hasBlocks: glyphs != .ascii, depth: depth, background: theme.background)
        styles = Dictionary(uniqueKeysWithValues: Scope.allCases.map { ($0, theme.style($0.rawValue)) })
    }

    package subscript(scope: Scope) -> Style {
        styles[scope] ?? .plain
    }
}

/// The characters beyond letters, in two sets.
package struct Glyphs: Hashable, Sendable {
    /// A horizontal line, and one between two panels.
    let rule: String
    let divider: String
    /// A meter's cell in eighths, from one to eight; ASCII has only the whole one.
    let meter: [String]
    /// A meter's cell while its microphone is muted, and the peak mark.
    let hollow: String
    let peak: String
    /// Sparkline steps, from none to most.
    let spark: [String]
    /// What cannot be known, and what is cut off.
    let unknown: String
    let ellipsis: String
    /// Around the microphone's badge.
    let badgeLeft: String
    let badgeRight: String
    let speaking: String
    let arrow: String

    package static let utf8 = Glyphs(
        rule: "─", divider: "│", meter: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"], hollow: "░", peak: "▏",
        spark: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], unknown: "–", ellipsis: "…", badgeLeft: "█ ",
        badgeRight: " █", speaking: ")))", arrow: "→")

    package static let ascii = Glyphs(
        rule: "-", divider: "|", meter: ["#"], hollow: ".", peak: "|",
        spark: ["_", ".", ":", "-", "=", "+", "*", "#"], unknown: "-", ellipsis: "...", badgeLeft: "[ ",
        badgeRight: " ]", speaking: ")))", arrow: "->")

    /// Text of ours in this set: `…` and `→` where they can be shown.
    func text(_ text: String) -> String {
        guard ellipsis == "..." else { return text }
        return String(
            text.flatMap { character -> String in
                switch character {
                case "…": ellipsis
                case "→": arrow
                case "–", "─": "-"
                default: String(character)
                }
            })
    }
}
