/// The surface as text, for goldens and for line-wise output.
extension Surface {
    /// The rows as text, without blanks at their ends.
    package var lines: [String] {
        (0..<size.rows).map { row in
            var line = ""
            for column in 0..<size.columns where !self[row, column].isTail {
                line.append(self[row, column].text)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The rows' looks: each style has a letter (`.` is plain), told in the legend that follows, in order of appearance.
    package var styleLines: [String] {
        var letters: [Style: Character] = [.plain: "."]
        var legend: [String] = []
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let rows = (0..<size.rows).map { row in
            String(
                (0..<size.columns).map { column -> Character in
                    let style = self[row, column].style
                    if let letter = letters[style] { return letter }
                    let letter = letters.count <= alphabet.count ? alphabet[letters.count - 1] : "!"
                    letters[style] = letter
                    legend.append("\(letter) = \(style)")
                    return letter
                })
        }
        return rows + legend
    }
}

extension Style: CustomStringConvertible {
    /// The style as a theme would say it.
    package var description: String {
        var words = Attributes.named.filter { attributes.contains($0.attribute) }.map(\.name)
        if foreground != .standard || words.isEmpty { words.append("\(foreground)") }
        if background != .standard { words.append("on \(background)") }
        return words.joined(separator: " ")
    }
}

extension Color: CustomStringConvertible {
    /// The colour as a theme would say it.
    package var description: String {
        switch self {
        case .standard: "default"
        case .indexed(let index): index < 16 ? Self.names[Int(index)] : String(index)
        case .rgb(let red, let green, let blue):
            "#" + [red, green, blue].map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        case .graded(let red, let green, let blue, let palette, let base):
            "\(Color.rgb(red: red, green: green, blue: blue));"
                + [palette, base].map { $0.map { String($0) } ?? "default" }.joined(separator: ";")
        }
    }
}
