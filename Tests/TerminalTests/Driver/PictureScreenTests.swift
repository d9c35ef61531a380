import Glibc
import Primitives
import TestSupport
import Testing

@testable import Terminal

extension CursesScreenTests {
    /// Pictures beside text on a real pseudo terminal.
    @Suite struct PictureScreenTests {
        private static let mode = PictureMode(glyphs: .quadrant, colors: .palette)
        private static let rows = 4..<20
        private static let area = CellArea(row: 4, column: 6, size: Size(rows: 16, columns: 60))

        @Test func picturesAndTextLeaveEachOtherAlone() throws {
            var clip = MovingClip(width: 120, height: 64)
            try withScreen { screen, device, terminal in
                var canvas = PictureCanvas(mode: Self.mode, size: device.size)
                for frame in 0..<12 {
                    let surface = Self.surface("frame \(frame)")
                    #expect(screen.draw(surface, on: device, at: .zero) == .done)
                    canvas.show(clip.next(), in: Self.area)
                    let count = screen.draw(&canvas, limit: 1_000_000, asks: true, on: device, at: .zero).count
                    #expect(count > 0)
                    let picture = terminal.picture()
                    #expect(picture.unknown.isEmpty && picture.questionCount == frame + 1)
                    expectShown(canvas, surface, picture)
                }
                let before = screen.meter.bytes
                #expect(screen.draw(&canvas, limit: 1_000_000, asks: true, on: device, at: .zero) == (.done, 0))
                #expect(screen.meter.bytes == before)
            }
        }

        @Test func whatCoversAPictureIsWholeAndSoIsThePictureAfterwards() throws {
            var clip = MovingClip(width: 120, height: 64)
            try withScreen { screen, device, terminal in
                var canvas = PictureCanvas(mode: Self.mode, size: device.size)
                let surface = Self.surface("beside")
                _ = screen.draw(surface, on: device, at: .zero)
                canvas.show(clip.next(), in: Self.area)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                var cover = Surface(size: device.size)
                cover.put("a page over everything", row: 8, column: 20)
                #expect(screen.draw(cover, on: device, at: .zero) == .done)
                #expect(terminal.picture().lines == cover.lines)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                #expect(terminal.picture().lines == cover.lines)
                _ = screen.draw(surface, on: device, at: .zero)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                expectShown(canvas, surface, terminal.picture())
            }
        }

        /// The grid's pictures are smaller than the one before them, and a caption takes a row: nothing of it stays.
        @Test func aPictureThatWasTakenAwayIsGoneWhenTheRowsChangeToo() throws {
            var clip = MovingClip(width: 120, height: 64)
            try withScreen { screen, device, terminal in
                var canvas = PictureCanvas(mode: Self.mode, size: device.size)
                _ = screen.draw(Self.surface("one"), on: device, at: .zero)
                canvas.show(clip.next(), in: Self.area)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                var surface = Surface(size: Size(rows: 24, columns: 80))
                surface.leave(rows: 4..<19, toPicturesOn: .plain)
                surface.put("a caption", row: 19, column: 30)
                canvas.clear(Self.area)
                let small = CellArea(row: 8, column: 30, size: Size(rows: 6, columns: 20))
                canvas.show(clip.next(), in: small)
                _ = screen.draw(surface, on: device, at: .zero)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                let lines = terminal.picture().lines
                #expect(!lines[8].isEmpty && lines[4].isEmpty && lines[18].isEmpty && lines[19].hasSuffix(" a caption"))
                // The row of the caption comes back.
                canvas.clear(small)
                canvas.show(clip.next(), in: Self.area)
                _ = screen.draw(Self.surface("two"), on: device, at: .zero)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                expectShown(canvas, Self.surface("two"), terminal.picture())
            }
        }

        @Test func aRedrawnScreenGetsItsPicturesAgain() throws {
            var clip = MovingClip(width: 120, height: 64)
            try withScreen { screen, device, terminal in
                var canvas = PictureCanvas(mode: Self.mode, size: device.size)
                let surface = Self.surface("again")
                _ = screen.draw(surface, on: device, at: .zero)
                canvas.show(clip.next(), in: Self.area)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                terminal.drain()
                terminal.forget()
                screen.redrawAll()
                // The text comes first: it clears the screen.
                #expect(screen.draw(&canvas, limit: 1000, asks: true, on: device, at: .zero) == (.skipped, 0))
                _ = screen.draw(surface, on: device, at: .zero)
                _ = screen.draw(&canvas, limit: 1_000_000, asks: false, on: device, at: .zero)
                expectShown(canvas, surface, terminal.picture())
            }
        }

        private static func surface(_ text: String) -> Surface {
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put(text, row: 2, column: 3, style: Style(foreground: .indexed(196), attributes: .bold))
            surface.put("below " + text, row: 21, column: 0)
            surface.leave(rows: rows, toPicturesOn: .plain)
            return surface
        }

        private func expectShown(_ canvas: PictureCanvas, _ surface: Surface, _ picture: TerminalPicture) {
            for row in 0..<24 where !Self.rows.contains(row) { #expect(picture.lines[row] == surface.lines[row]) }
            let area = CellArea(
                row: Self.rows.lowerBound, column: 0, size: Size(rows: Self.rows.count, columns: 80))
            #expect(picture.picture(in: area, Self.mode) == canvas.shownPicture(in: area))
        }

        private func withScreen(
            _ body: (inout CursesScreen, borrowing TerminalDevice, PseudoTerminal) throws -> Void
        ) throws {
            let terminal = try PseudoTerminal()
            let device = try TerminalDevice(path: terminal.path)
            let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)
            var screen = try CursesScreen(environment: environment, size: device.size)
            defer { screen.leave(device) }
            try body(&screen, device, terminal)
        }
    }
}
