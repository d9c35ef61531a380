import Foundation
import Primitives
import Terminal
import TestSupport

/// Moving clips at 80 × 22 cells on a real pseudo terminal: bytes as the output meter counts them, time of scaling and
/// fitting, likeness to the clip. Upper and lower halves that are all drawn anew are what the others are compared with.
struct TerminalPictures {
    private static let size = Size(rows: 24, columns: 80)
    private static let area = CellArea(row: 1, column: 0, size: Size(rows: 22, columns: 80))
    private static let frameCount = 150

    private struct Result: Encodable {
        var clip: String
        var glyphs: String
        var colors: String
        var bytesPerFrame: Int
        var kilobytesPerSecondAt15: Double
        var stillBytes: Int
        /// In dB, against the clip.
        var psnr: Double
        var halfBlockPSNR: Double
        var fitMedianMs: Double
        var fit95PercentMs: Double
    }

    private struct Report: Encodable {
        var machine = Machine()
        var terminalPictures: [Result]
    }

    func perform() throws -> String {
        let modes: [PictureMode] = [
            .init(glyphs: .half, colors: .palette), .init(glyphs: .quadrant, colors: .palette),
            .init(glyphs: .sextant, colors: .palette), .init(glyphs: .sextant, colors: .direct),
        ]
        let results = try MovingClip.Kind.allCases.flatMap { kind in
            let plain = plainHalfBlocks(kind)
            return try modes.map { mode in
                try withScreen { screen, device, terminal in measure(kind, mode, plain, &screen, device, terminal) }
            }
        }
        return try report(Report(terminalPictures: results))
    }

    /// ncurses has one screen at a time.
    private func withScreen<Value>(
        _ body: (inout CursesScreen, borrowing TerminalDevice, PseudoTerminal) throws -> Value
    ) throws -> Value {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(path: terminal.path)
        let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)
        var screen = try CursesScreen(environment: environment, size: Self.size)
        defer { screen.leave(device, within: .zero) }
        var surface = Surface(size: Self.size)
        surface.leave(rows: Self.area.rows, toPicturesOn: .plain)
        while screen.draw(surface, on: device, at: .now()) != .done { terminal.drain() }
        return try body(&screen, device, terminal)
    }

    private func measure(
        _ kind: MovingClip.Kind, _ mode: PictureMode, _ plain: Double, _ screen: inout CursesScreen,
        _ device: borrowing TerminalDevice,
        _ terminal: PseudoTerminal
    ) -> Result {
        var canvas = PictureCanvas(mode: mode, size: Self.size)
        var clip = MovingClip(kind, width: 640, height: 352)
        var (times, likeness): ([Double], [Double]) = ([], [])
        var first = 0
        var picture = clip.next()
        for frame in 0..<Self.frameCount {
            if frame > 0 { picture = clip.next() }
            let start = MonoTime.now()
            canvas.show(picture, in: Self.area)
            times.append((MonoTime.now() - start).milliseconds)
            draw(&canvas, &screen, device, terminal)
            if frame == 0 { first = screen.meter.bytes }
            if frame % 10 == 9 { likeness.append(canvas.shownPicture(in: Self.area).likeness(to: picture)) }
        }
        let bytes = screen.meter.bytes
        canvas.show(picture, in: Self.area)
        draw(&canvas, &screen, device, terminal)
        let perFrame = (bytes - first) / (Self.frameCount - 1)
        times.sort()
        return Result(
            clip: kind.rawValue, glyphs: "\(mode.glyphs)", colors: "\(mode.colors)", bytesPerFrame: perFrame,
            kilobytesPerSecondAt15: Double(perFrame) * 15 / 1000, stillBytes: screen.meter.bytes - bytes,
            psnr: mean(likeness), halfBlockPSNR: plain, fitMedianMs: times[times.count / 2],
            fit95PercentMs: times[times.count * 95 / 100])
    }

    /// The likeness of upper and lower halves that are all drawn anew, of the same pictures.
    private func plainHalfBlocks(_ kind: MovingClip.Kind) -> Double {
        var clip = MovingClip(kind, width: 640, height: 352)
        var likeness: [Double] = []
        for frame in 0..<Self.frameCount {
            let picture = clip.next()
            guard frame % 10 == 9 else { continue }
            let halves = picture.inHalves(rows: Self.area.size.rows, columns: Self.area.size.columns)
            likeness.append(halves.likeness(to: picture))
        }
        return mean(likeness)
    }

    private func draw(
        _ canvas: inout PictureCanvas, _ screen: inout CursesScreen, _ device: borrowing TerminalDevice,
        _ terminal: PseudoTerminal
    ) {
        var result = screen.draw(&canvas, limit: .max / 2, asks: true, on: device, at: .now()).drawing
        while result == .waiting {
            terminal.drain()
            result = screen.flush(to: device, at: .now())
        }
        terminal.drain()
        terminal.forget()
    }

    private func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(values.count, 1))
    }
}
