import ControlProtocol
import Glibc
import Primitives
import Terminal
import TestSupport
import Testing

@testable import Console

/// What moving meters cost on the way to the terminal. ncurses holds its state in globals.
@Suite(.serialized) struct MeterCostTests {
    private static let size = Size(rows: 43, columns: 132)

    /// The processor time of a frame, from the key to the bytes, does not grow with the people who are not on the screen.
    @Test func fiveHundredPeopleAreScrolledThroughWithoutASlowFrame() throws {
        let terminal = try PseudoTerminal(rows: UInt16(Self.size.rows), columns: UInt16(Self.size.columns))
        let device = try TerminalDevice(path: terminal.path)
        let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)
        var screen = try CursesScreen(environment: environment, size: Self.size)
        defer { screen.leave(device, within: .zero) }
        /// The median of the frames, in milliseconds.
        func scrolled(through count: Int) throws -> Double {
            var fixture = try Fixture.withMany(count)
            var times: [Double] = []
            for _ in 0..<count - 1 {
                let start = Self.processorMilliseconds
                try fixture.press("j")
                let surface = fixture.surface(rows: Self.size.rows, columns: Self.size.columns)
                var drawing = screen.draw(surface, on: device, at: .zero)
                times.append(Self.processorMilliseconds - start)
                while drawing == .waiting {
                    terminal.drain()
                    drawing = screen.flush(to: device, at: .zero)
                }
                terminal.drain()
                terminal.forget()
            }
            #expect(fixture.model.selection == "q\(count)")
            return times.sorted()[times.count / 2]
        }
        let (few, many) = (try scrolled(through: 60), try scrolled(through: 500))
        #expect(many < 2 * few + 1, "\(many) ms a frame with 500, \(few) ms with 60")
        // Without the optimizer a frame takes many times as long.
        #if DEBUG
            let most = 100.0
        #else
            let most = 10.0
        #endif
        #expect(many < most, "\(many) ms a frame")
    }

    private static var processorMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    /// Levels of speech, everybody's at once: ten times a second over SSH that is 8 KB/s at most.
    @Test(arguments: ["xterm-256color", "tmux-256color", "screen-256color", "linux"])
    func aRefreshOfSixteenMetersTakesLessThanEightHundredBytes(term: String) throws {
        let terminal = try PseudoTerminal(rows: UInt16(Self.size.rows), columns: UInt16(Self.size.columns))
        let device = try TerminalDevice(path: terminal.path)
        let environment = TerminalEnvironment(term: term, isUTF8: true, noColor: false)
        var screen = try CursesScreen(environment: environment, size: Self.size)
        defer { screen.leave(device, within: .zero) }
        var fixture = try Fixture.withMany(15)
        var random = SplitMix64(seed: 11)
        func draw() -> Surface {
            let surface = fixture.surface(rows: Self.size.rows, columns: Self.size.columns)
            var drawing = screen.draw(surface, on: device, at: .zero)
            while drawing == .waiting {
                terminal.drain()
                drawing = screen.flush(to: device, at: .zero)
            }
            terminal.drain()
            return surface
        }
        _ = draw()
        let before = screen.meter.bytes
        var last = Surface(size: Self.size)
        for _ in 0..<50 {
            fixture.wait(.milliseconds(100))
            var levels = LevelsUpdate()
            levels.microphone = Int.random(in: -60 ... -20, using: &random)
            for number in 1...15 { levels.people["q\(number)"] = Int.random(in: -60 ... -20, using: &random) }
            fixture.send(levels)
            last = draw()
        }
        #expect((screen.meter.bytes - before) / 50 <= 800, "\((screen.meter.bytes - before) / 50) bytes")
        #expect(terminal.picture(rows: Self.size.rows, columns: Self.size.columns).lines == last.lines)
        let still = screen.meter.bytes
        _ = draw()
        #expect(screen.meter.bytes == still, "nothing changed")
    }
}
