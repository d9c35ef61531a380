/// Reads styles as themes write them: `bold #ffffff on ember`.
struct StyleText {
    /// The palette's colours by name.
    var palette: [String: Color] = [:]

    /// What is wrong with a style's text.
    enum Problem: Error, Equatable, CustomStringConvertible {
        case unknownWord(String)
        case colourMissing
        case twoColours(String)

        var description: String {
            switch self {
            case .unknownWord(let word): "\"\(word)\" is neither an attribute nor a colour"
            case .colourMissing: "no colour follows \"on\""
            case .twoColours(let word): "\"\(word)\" is one colour too many"
            }
        }
    }

    /// The style that `text` says.
    func style(_ text: String) throws(Problem) -> Style {
        var style = Style()
        var hasForeground = false
        var isBackground = false
        var hasBackground = false
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init) {
            if let named = Style.Attributes.named.first(where: { $0.name == word }), !isBackground {
                style.attributes.insert(named.attribute)
            } else if word == "on", !isBackground, !hasBackground {
                isBackground = true
            } else if let color = color(word) {
                guard isBackground ? !hasBackground : !hasForeground && !hasBackground else { throw .twoColours(word) }
                if isBackground {
                    (style.background, hasBackground, isBackground) = (color, true, false)
                } else {
                    (style.foreground, hasForeground) = (color, true)
                }
            } else {
                throw .unknownWord(word)
            }
        }
        guard !isBackground else { throw .colourMissing }
        return style
    }

    /// A colour of the palette or of `Color`.
    func color(_ word: String) -> Color? {
        palette[word] ?? Color(parsing: word)
    }
}
