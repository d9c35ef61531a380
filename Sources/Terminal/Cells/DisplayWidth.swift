/// How many columns text takes, and what of it may reach a terminal.
///
/// Names come from other people: control characters, bidirectional controls and invisible characters would move the
/// cursor, reorder the line or make two names look alike, so each shows as a replacement of one column. Joined emoji
/// are shown as their first one, because terminals disagree on how wide they are.
package enum DisplayWidth {
    /// One drawable unit: a base with its combining marks, one or two columns wide.
    package struct Cluster: Hashable, Sendable {
        package var text: Character
        package var width: Int
    }

    /// The most combining marks kept on a base; more would cover the lines above and below.
    static let markLimit = 4

    /// Columns that `text` takes when drawn.
    package static func of(_ text: String) -> Int {
        clusters(of: text).reduce(0) { $0 + $1.width }
    }

    /// What is drawn for `text`, in order.
    package static func clusters(of text: String) -> [Cluster] {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            return text.utf8.map { Cluster(text: Character(Unicode.Scalar($0)), width: 1) }
        }
        return text.flatMap(clusters(of:))
    }

    /// `text` cut to `columns`, with `ellipsis` at the cut, and padded with spaces to exactly `columns`.
    package static func fit(_ text: String, _ columns: Int, ellipsis: String = "…") -> String {
        let cut = clip(text, columns, ellipsis: ellipsis)
        return cut + String(repeating: " ", count: max(0, columns - of(cut)))
    }

    /// `text` cut to at most `columns`, with `ellipsis` at the cut.
    package static func clip(_ text: String, _ columns: Int, ellipsis: String = "…") -> String {
        let clusters = clusters(of: text)
        guard clusters.reduce(0, { $0 + $1.width }) > columns else { return String(clusters.map(\.text)) }
        let tail = of(ellipsis) <= columns ? ellipsis : ""
        var room = columns - of(tail)
        var kept = ""
        for cluster in clusters {
            room -= cluster.width
            if room < 0 { break }
            kept.append(cluster.text)
        }
        return kept + tail
    }

    private static func clusters(of character: Character) -> [Cluster] {
        let scalars = Array(character.unicodeScalars)
        if scalars.count > 1, isRegionalIndicator(scalars[0]) {
            // A flag: its two letters, which every terminal can show.
            return scalars.filter(isRegionalIndicator).map { letter in
                let ascii = UInt8(truncatingIfNeeded: letter.value &- 0x1F1E6 &+ 0x41)
                return Cluster(text: Character(Unicode.Scalar(ascii)), width: 1)
            }
        }
        var result: [Cluster] = []
        var marks = 0
        for scalar in scalars {
            switch kind(of: scalar) {
            case .base(let width):
                if result.isEmpty {
                    result.append(Cluster(text: Character(scalar), width: width))
                }
            case .mark:
                guard let last = result.last, marks < markLimit else { continue }
                marks += 1
                var text = String(last.text)
                text.unicodeScalars.append(scalar)
                guard text.count == 1, let joined = text.first else { continue }
                result[result.count - 1].text = joined
            case .joiner:
                if result.isEmpty { result.append(replacement) }
            case .unsafe(let shown):
                result.append(shown)
            }
        }
        return result.isEmpty ? [replacement] : result
    }

    private enum Kind {
        case base(width: Int)
        case mark
        case joiner
        case unsafe(Cluster)
    }

    private static let replacement = Cluster(text: "\u{FFFD}", width: 1)

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0..<0x20: return .unsafe(picture(0x2400 + scalar.value))
        case 0x20..<0x7F: return .base(width: 1)
        case 0x7F: return .unsafe(picture(0x2421))
        case 0x200D, 0xFE00...0xFE0F: return .joiner
        case 0x1160...0x11FF: return .mark
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return .mark
        case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
            return .unsafe(replacement)
        default: return .base(width: isWide(scalar.value) ? 2 : 1)
        }
    }

    private static func picture(_ value: UInt32) -> Cluster {
        Cluster(text: Unicode.Scalar(value).map(Character.init) ?? replacement.text, width: 1)
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Whether East Asian Width is Wide or Fullwidth (Unicode 14, UAX #11).
    static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = wideRanges.count - 1
        while low <= high {
            let middle = (low + high) / 2
            if value < wideRanges[middle].lowerBound {
                high = middle - 1
            } else if value > wideRanges[middle].upperBound {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }

    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
        0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
        0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9,
        0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335,
        0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
        0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
        0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
        0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF,
        0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
        0x1F947...0x1F9FF, 0x1FA70...0x1FAF6, 0x20000...0x2EBE0, 0x2F800...0x3134A,
    ]
}
