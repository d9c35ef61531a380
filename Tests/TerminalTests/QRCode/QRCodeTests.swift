import Foundation
import Terminal
import TestSupport
import Testing

/// Codes as a terminal shows them, read by a reader that knows nothing of ours.
struct QRCodeTests {
    private static let link =
        "https://192.168.1.23:7443/r/standup#AQABAAAAAGVhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5"
        + ".9c2fA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t"

    /// A terminal and the look that suits it.
    struct Terminal: Sendable, CustomTestStringConvertible {
        var isDark: Bool
        var hasBlocks: Bool
        var depth: ColorDepth

        var testDescription: String { "\(isDark ? "dark" : "light") \(hasBlocks ? "blocks" : "ASCII") \(depth)" }
        var look: QRCodeLook { QRCodeLook(hasBlocks: hasBlocks, depth: depth, background: isDark ? .dark : .light) }

        static let all = [true, false].flatMap { isDark in
            [true, false].flatMap { hasBlocks in
                [ColorDepth.mono, .eight, .palette256].map {
                    Terminal(isDark: isDark, hasBlocks: hasBlocks, depth: $0)
                }
            }
        }
    }

    @Test(arguments: Terminal.all, [QRCode.leastQuietZone, QRCode.quietZone])
    func whatATerminalShowsIsReadDarkOnLight(terminal: Terminal, quietZone: Int) throws {
        let code = try #require(QRCode(Self.link))
        let surface = code.surface(quietZone: quietZone, terminal.look)
        #expect(surface.size == code.size(quietZone: quietZone, terminal.look))
        let picture = picture(of: surface, on: terminal)
        // The border is light, so that even an inverted reading finds no code in it.
        #expect(picture.rows[0].allSatisfy { $0 } && picture.rows.allSatisfy { $0[0] })
        #expect(try read(picture) == Self.link)
    }

    @Test func theWidestBorderThatFitsIsTaken() throws {
        let code = try #require(QRCode(Self.link))
        let look = QRCodeLook(hasBlocks: true, depth: .palette256, background: .dark)
        #expect(code.width == 41)
        #expect(code.quietZone(within: Size(rows: 100, columns: 100), look) == 4)
        #expect(code.quietZone(within: Size(rows: 24, columns: 80), look) == 3)
        #expect(code.quietZone(within: Size(rows: 23, columns: 80), look) == 2)
        #expect(code.quietZone(within: Size(rows: 22, columns: 80), look) == nil)
        #expect(code.quietZone(within: Size(rows: 100, columns: 44), look) == nil)
        let ascii = QRCodeLook(hasBlocks: false, depth: .palette256, background: .dark)
        #expect(code.size(quietZone: 4, ascii) == Size(rows: 49, columns: 98))
    }

    @Test func whatNoCodeCanHoldIsNone() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: 2953))?.width == 177)
        #expect(QRCode(String(repeating: "x", count: 2954)) == nil)
    }

    /// Modules as a terminal lights them.
    private struct Picture {
        /// Whether each is light.
        var rows: [[Bool]]
    }

    private func picture(of surface: Surface, on terminal: Terminal) -> Picture {
        var rows: [[Bool]] = []
        for row in 0..<surface.size.rows {
            let cells = (0..<surface.size.columns).map { column -> (upper: Bool, lower: Bool) in
                let cell = surface[row, column]
                let style = cell.style.reduced(to: terminal.depth)
                var ink = isLight(style.foreground, else: terminal.isDark)
                var paper = isLight(style.background, else: !terminal.isDark)
                if style.attributes.contains(.reverse) { swap(&ink, &paper) }
                return (
                    "█▀".contains(cell.text) ? ink : paper, "█▄".contains(cell.text) ? ink : paper
                )
            }
            if terminal.hasBlocks {
                rows += [cells.map(\.upper), cells.map(\.lower)]
            } else {
                rows.append(stride(from: 0, to: cells.count, by: 2).map { cells[$0].upper && cells[$0 + 1].upper })
            }
        }
        return Picture(rows: rows)
    }

    private func isLight(_ color: Color, else own: Bool) -> Bool {
        switch color {
        case .standard: own
        case .indexed(let index): [7, 15, 231].contains(index)
        case .rgb(let red, _, _), .graded(let red, _, _, _, _): red > 127
        }
    }

    /// Reads the code in a picture, eight pixels a module.
    private func read(_ picture: Picture) throws -> String {
        let directory = try TemporaryDirectory()
        let scale = 8
        let pixels = picture.rows.flatMap { row in
            Array(repeating: row.flatMap { Array(repeating: $0 ? UInt8(255) : 0, count: scale) }, count: scale)
                .flatMap { $0 }
        }
        let (file, answer) = (directory.path + "/pixels", directory.path + "/answer")
        try Data(pixels).write(to: URL(fileURLWithPath: file))
        let script = """
            import sys
            from pyzbar.pyzbar import decode
            pixels, answer, width, height = open(sys.argv[1], "rb").read(), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
            open(answer, "wb").write(b"|".join(code.data for code in decode((pixels, width, height))))
            """
        let size = [picture.rows[0].count * scale, picture.rows.count * scale].map { String($0) }
        let reader = try ChildProcess(
            ["/usr/bin/python3", "-c", script, file, answer] + size, environment: ["PATH": "/usr/bin:/bin"])
        #expect(reader.wait() == 0, "python3-pyzbar reads codes")
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: answer)), as: UTF8.self)
    }
}
