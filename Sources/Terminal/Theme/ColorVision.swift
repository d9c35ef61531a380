import Glibc

/// Whether the steps of a scale stay apart for people without the eye's red or green cones.
///
/// The simulation is that of Viénot, Brettel and Mollon (Color Research and Application 24, 1999): one matrix for each
/// deficiency, on linear red, green and blue. What is left of the difference is measured in CIELAB (D65).
package enum ColorVision: String, CaseIterable, Sendable {
    case deuteranopia
    case protanopia

    /// Two scopes of one scale that look alike.
    package struct Confusion: Hashable, Sendable, CustomStringConvertible {
        package let scopes: [String]
        package let vision: ColorVision
        /// CIE 1976 colour difference.
        package let difference: Double

        package var description: String {
            "\(scopes.joined(separator: " and ")) look alike in \(vision.rawValue): "
                + "a difference of \(Int(difference.rounded()))"
        }
    }

    /// The least difference that is seen at a glance in one cell; 2.3 is just noticeable side by side.
    package static let least = 20.0

    /// The pairs of each of `scales` that differ by less than `least` on a terminal of `depth`. What differs by an
    /// underline or by reverse video needs no colour.
    package static func confusions(of theme: Theme, scales: [[String]], depth: ColorDepth) -> [Confusion] {
        var found: [Confusion] = []
        for scale in scales {
            let styles = scale.map { theme.style($0).reduced(to: depth) }
            for (low, high) in scale.indices.flatMap({ low in scale.indices[(low + 1)...].map { (low, $0) } }) {
                let shapes: Style.Attributes = [.underline, .reverse]
                guard styles[low].attributes.intersection(shapes) == styles[high].attributes.intersection(shapes)
                else { continue }
                for vision in allCases {
                    let difference = vision.difference(
                        Contrast.ink(of: styles[low], on: theme.background),
                        Contrast.ink(of: styles[high], on: theme.background))
                    guard difference < least else { continue }
                    found.append(Confusion(scopes: [scale[low], scale[high]], vision: vision, difference: difference))
                }
            }
        }
        return found
    }

    /// Linear red, green and blue as they are seen; the rows of the matrix.
    private var rows: [(Double, Double, Double)] {
        switch self {
        case .deuteranopia: [(0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)]
        case .protanopia: [(0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)]
        }
    }

    /// How much `one` and `other` differ as they are seen.
    func difference(_ one: RGB, _ other: RGB) -> Double {
        let (left, right) = (lab(one), lab(other))
        return zip(left, right).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
    }

    private func lab(_ color: RGB) -> [Double] {
        let (red, green, blue) = color.linear
        let seen = rows.map { min(max($0.0 * red + $0.1 * green + $0.2 * blue, 0), 1) }
        let toXYZ = [(0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1), (0.0193, 0.1192, 0.9505, 1.089)]
        let roots = toXYZ.map { row in
            let share = (row.0 * seen[0] + row.1 * seen[1] + row.2 * seen[2]) / row.3
            return share > 0.008856 ? cbrt(share) : 7.787 * share + 16 / 116
        }
        return [116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2])]
    }
}

extension RGB {
    /// The primaries in proportion to their light, 0…1 (IEC 61966-2-1).
    var linear: (red: Double, green: Double, blue: Double) {
        func linear(_ component: Int) -> Double {
            let value = Double(component) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return (linear(red), linear(green), linear(blue))
    }
}
