import Primitives
import Testing

@testable import Terminal

/// A known pattern in every mode: a disc on slanting bars, over a wedge from black to white.
struct PictureGoldenTests {
    private static let pattern = RGBPicture(width: 48, height: 48) { x, y in
        if y >= 40 { return (UInt8(x * 255 / 47), UInt8(x * 255 / 47), UInt8(x * 255 / 47)) }
        let (dx, dy) = (x - 24, y - 20)
        if dx * dx + dy * dy < 144 { return (250, 210, 20) }
        return (x + y) / 8 % 2 == 0 ? (20, 40, 160) : (200, 30, 30)
    }

    @Test(arguments: goldens.indices)
    func thePatternLooksAsRecorded(index: Int) {
        let (glyphs, colors, golden) = goldens[index]
        var canvas = PictureCanvas(
            mode: PictureMode(glyphs: glyphs, colors: colors), size: Size(rows: 6, columns: 12), isThrifty: false)
        _ = canvas.draw(Self.pattern)
        #expect(Self.text(canvas) == golden, "\(glyphs) \(colors)\n\(Self.text(canvas))")
    }

    /// The characters of each row and, of the middle row, the colours of each cell.
    private static func text(_ canvas: PictureCanvas) -> String {
        let glyphs = canvas.mode.glyphs.characters
        let columns = canvas.size.columns
        let rows = (0..<canvas.size.rows).map { row in
            String(canvas.shown[row * columns..<(row + 1) * columns].map { glyphs[Int($0.pattern)] })
        }
        let middle = canvas.shown[2 * columns..<3 * columns].map { cell in
            [cell.foreground, cell.background].map(Self.text).joined(separator: "/")
        }
        let colors = stride(from: 0, to: columns, by: 4).map { middle[$0..<$0 + 4].joined(separator: " ") }
        return (rows.map { "|\($0)|" } + colors).joined(separator: "\n")
    }

    private static func text(_ color: PictureColor) -> String {
        guard color.paletteIndex == 0 else { return "\(color.paletteIndex)" }
        return "#" + String(color.bits + 0x100_0000, radix: 16).dropFirst()
    }
}

private let goldens: [(PictureMode.Glyphs, PictureMode.Colors, String)] = [
    (
        .half, .palette,
        """
        |▀▀▀▀▀▀▀▀▀▀▀▀|
        |▀▀▀▀▀▀▀▀▀▀▀▀|
        |▀▀▀▌     ▀▀▀|
        |▀▀▀▌▀  ▀▀▀▀▀|
        |▀▀▀▀▀▀▀▀▀▀▀▀|
        |▌▌▌▌▌▌▌▌▌▌▌▌|
        19/53 53/160 160/89 137/220
        220/220 220/220 220/220 220/220
        220/220 53/160 160/89 89/19
        """
    ),
    (
        .half, .direct,
        """
        |▀▀▀▀▀▀▀▀▀▀▀▀|
        |▀▀▀▀▀▀▀▀▀▀▀▀|
        |▀▀▀▌     ▀▀▀|
        |▀▀▀▌▀  ▀▀▀▀▀|
        |▀▀▀▀▀▀▀▀▀▀▀▀|
        |▌▌▌▌▌▌▌▌▌▌▌▌|
        #1428a0/#58246f #58246f/#c81e1e #c81e1e/#85214e #b47a39/#fad214
        #fad214/#fad214 #fad214/#fad214 #fad214/#fad214 #fad214/#fad214
        #fad214/#fad214 #58246f/#c81e1e #c81e1e/#85214e #85214e/#1428a0
        """
    ),
    (
        .quadrant, .palette,
        """
        |▛▀▛▀▛▀▛▀▛▀▛▀|
        |▛▀▛▀▀▀▀▀▖▀▛▀|
        |▛▀▛▖     ▀▛▀|
        |▛▀▛▘▀  ▛▀▀▛▀|
        |▛▀▛▀▛▀▛▀▛▀▛▀|
        |▌▌▌▌▌▘▌▌▌▌▌▌|
        19/89 53/160 160/53 101/214
        220/220 220/220 220/220 220/220
        220/220 53/160 160/53 89/19
        """
    ),
    (
        .quadrant, .direct,
        """
        |▛▘▛▘▛▘▛▘▛▘▛▘|
        |▛▘▛▀▀▀▀▀▖▘▛▘|
        |▛▘▛▖     ▘▛▘|
        |▛▘▛▝▀  ▛▀▘▛▘|
        |▛▘▛▘▛▘▛▘▛▘▛▘|
        |▌▌▌▌▌▌▌▌▌▌▌▌|
        #1b279a/#85224f #2b2790/#b11f2e #c01e23/#58246f #877d5a/#f1b415
        #fad214/#fad214 #fad214/#fad214 #fad214/#fad214 #fad214/#fad214
        #fad214/#fad214 #2b2790/#b11f2e #c01e23/#58246f #b21f2e/#2a268f
        """
    ),
    (
        .sextant, .palette,
        """
        |🬝🬆🬝🬆🬝🬆🬝🬆🬝🬆🬝🬆|
        |🬝🬆🬝🬆🬆🬂🬂🬂🬏🬆🬝🬆|
        |🬝🬆🬝▌     🬆🬝🬆|
        |🬝🬆🬝🬄🬎  🬝🬆🬆🬝🬆|
        |🬝🬆🬝🬆🬝🬆🬝🬆🬝🬆🬝🬆|
        |▌▌▌▌▌🬄▌▌▌🬄▌▌|
        19/124 53/160 124/18 137/220
        220/220 220/220 220/220 220/220
        220/220 53/160 124/18 89/19
        """
    ),
    (
        .sextant, .direct,
        """
        |🬝🬂🬝🬂🬝🬂🬝🬂🬝🬂🬝🬂|
        |🬝🬂🬝🬆🬂🬂🬂🬂🬏🬂🬝🬂|
        |🬝🬂🬝▌     🬂🬝🬂|
        |🬝🬂🬝🬁🬎  🬝🬆🬂🬝🬂|
        |🬝🬂🬝🬂🬝🬂🬝🬂🬝🬂🬝🬂|
        |▌▌▌▌▌▌▌▌▌▌▌▌|
        #1d2799/#b21f2e #3b2683/#ba1e28 #bf1e24/#2b2790 #b47a39/#fad214
        #fad214/#fad214 #fad214/#fad214 #fad214/#fad214 #fad214/#fad214
        #fad214/#fad214 #3b2683/#ba1e28 #bf1e24/#2b2790 #a0203a/#222795
        """
    ),
    (
        .ascii, .palette,
        """
        |            |
        |            |
        |            |
        |            |
        |            |
        |            |
        54/54 89/89 125/125 178/178
        220/220 220/220 220/220 220/220
        220/220 89/89 125/125 54/54
        """
    ),
    (
        .ascii, .direct,
        """
        |            |
        |            |
        |            |
        |            |
        |            |
        |            |
        #362688/#362688 #902147/#902147 #a62036/#a62036 #d7a627/#d7a627
        #fad214/#fad214 #fad214/#fad214 #fad214/#fad214 #fad214/#fad214
        #fad214/#fad214 #902147/#902147 #a62036/#a62036 #4c2577/#4c2577
        """
    ),
    (
        .ascii, .none,
        """
        |::::::::::::|
        |:::-+##*=:::|
        |:::*#####:::|
        |:::=*###=:::|
        |::::::::::::|
        | .::-=+*##%@|
        #ffffff/#000000 #ffffff/#000000 #ffffff/#000000 #ffffff/#000000
        #ffffff/#000000 #ffffff/#000000 #ffffff/#000000 #ffffff/#000000
        #ffffff/#000000 #ffffff/#000000 #ffffff/#000000 #ffffff/#000000
        """
    ),
    (
        .ascii, .first(8),
        """
        |++#=++#=++#=|
        |#=++@@@%*=++|
        |++#@@@@@@+#=|
        |#=+%@@@@*=++|
        |++#=++#=++#=|
        | .:--++##%@@|
        4/#000000 5/#000000 1/#000000 3/#000000
        3/#000000 3/#000000 3/#000000 3/#000000
        3/#000000 5/#000000 1/#000000 5/#000000
        """
    ),
    (
        .ascii, .first(16),
        """
        |++*=++*=++*=|
        |*=+-#%@%+=++|
        |++*#%%%%%+*=|
        |*=+%#%%%+=++|
        |++*=++*=++*=|
        | .:+-=+*#%@@|
        12/#000000 5/#000000 9/#000000 11/#000000
        11/#000000 11/#000000 11/#000000 11/#000000
        11/#000000 5/#000000 9/#000000 12/#000000
        """
    ),
]
