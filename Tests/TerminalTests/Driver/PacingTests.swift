import Glibc
import Primitives
import TestSupport
import Testing

@testable import Terminal

extension CursesScreenTests {
    /// Pictures over a slow line on a real pseudo terminal, whose reader answers only what it has read.
    @Suite struct PacingTests {
        private static let mode = PictureMode(glyphs: .sextant, colors: .palette)
        /// Of all different characters at each place, so that each arrives as it is.
        private static let marks = ["abcdef", "ghijkl", "mnopqr", "stuvwx", "ABCDEF", "GHIJKL", "MNOPQR", "STUVWX"]

        @Test(arguments: [(256.0, 0, 3...14), (256, 120, 2...7), (10_000, 0, 8...15)])
        func keysAreAnsweredAndFramesFallBehindNeither(kilobits: Double, roundTripMs: Int, rates: ClosedRange<Int>)
            throws
        {
            var run = Run(kilobits: kilobits, roundTrip: .milliseconds(roundTripMs))
            try run.perform(.seconds(3))
            let delays = run.keyDelays.map { $0.milliseconds }.sorted()
            let note = "\(run.frames) frames, keys after \(delays.map { Int($0) }) ms, lags \(run.lags.max() ?? .zero)"
            #expect(delays.count >= 6)
            #expect(delays.allSatisfy { $0 <= 150 }, "\(note)")
            // A frame may take its time on the line, and not begin before its own bytes.
            #expect(run.lags.allSatisfy { $0 <= .milliseconds(250 + roundTripMs) }, "\(note)")
            #expect(rates.contains(run.frames / 3), "\(note)")
        }

        /// Console and line in one loop. The terminal is real and the time is not: what the machine does besides costs none.
        private struct Run {
            let kilobits: Double
            let roundTrip: Duration
            var frames = 0
            var keyDelays: [Duration] = []
            var lags: [Duration] = []

            init(kilobits: Double, roundTrip: Duration) {
                (self.kilobits, self.roundTrip) = (kilobits, roundTrip)
            }

            mutating func perform(_ length: Duration) throws {
                let terminal = try PseudoTerminal()
                let device = try TerminalDevice(path: terminal.path)
                let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)
                var screen = try CursesScreen(environment: environment, size: device.size)
                defer { screen.leave(device, within: .zero) }
                var clip = MovingClip(width: 160, height: 60)
                let pictures = (0..<40).map { _ in clip.next() }
                var console = PacedConsole(pictures)
                let start = MonoTime.now()
                var line = ThrottledLine(terminal, kilobitsPerSecond: kilobits, roundTrip: roundTrip, at: start)
                var typed: (time: MonoTime, mark: String, from: Int)?
                var now = start
                while now < start + length {
                    line.pump(at: now)
                    console.step(&screen, device, at: now)
                    if let key = typed, line.shows(key.mark, from: key.from) {
                        keyDelays.append(now - key.time)
                        typed = nil
                    }
                    if typed == nil, now - start >= .milliseconds(300 * (keyDelays.count + 1)) {
                        let index = keyDelays.count % PacingTests.marks.count
                        terminal.type(String(index))
                        typed = (now, PacingTests.marks[index], line.seen.count)
                    }
                    var poller = pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&poller, 1, 3)
                    now = now + .milliseconds(3)
                }
                (frames, lags) = (console.frames, console.lags)
            }
        }

        /// What a console does with keys, answers and pictures.
        private struct PacedConsole {
            private let pictures: [RGBPicture]
            private var canvas = PictureCanvas(mode: mode, size: Size(rows: 24, columns: 80))
            private var surface = Surface(size: Size(rows: 24, columns: 80))
            private var parser = InputParser()
            private var pacer = FramePacer()
            private var isDirty = true
            private var drawnAt: MonoTime?
            private(set) var frames = 0
            private(set) var lags: [Duration] = []

            init(_ pictures: [RGBPicture]) {
                self.pictures = pictures
                surface.leave(rows: 1..<23, toPicturesOn: .plain)
            }

            mutating func step(_ screen: inout CursesScreen, _ device: borrowing TerminalDevice, at now: MonoTime) {
                take(device.read() ?? [], at: now)
                _ = screen.flush(to: device, at: now)
                if isDirty, screen.draw(surface, on: device, at: now) != .skipped { isDirty = false }
                pacer.tick(at: now)
                guard !screen.wantsToWrite else { return }
                switch pacer.step(at: now) {
                case .wait: break
                case .ask: if screen.ask(device, at: now) != .skipped { pacer.asked(at: now) }
                case .draw(let limit, let asks):
                    let area = CellArea(row: 1, column: 0, size: Size(rows: 22, columns: 80))
                    canvas.show(pictures[frames % pictures.count], in: area)
                    let count = screen.draw(&canvas, limit: limit, asks: asks, on: device, at: now).count
                    guard count > 0 else { break }
                    pacer.drew(count, asks: asks, at: now)
                    frames += 1
                    drawnAt = now
                }
            }

            private mutating func take(_ bytes: [UInt8], at now: MonoTime) {
                var out = Outbox<InputEvent>()
                parser.receive(bytes.span.bytes, at: now, into: &out)
                for event in out.events {
                    switch event {
                    case .ready:
                        pacer.answered(at: now)
                        if let drawnAt { lags.append(now - drawnAt) }
                        drawnAt = nil
                    case .key(let key):
                        guard case .character(let digit) = key.code, let index = digit.wholeNumberValue else {
                            continue
                        }
                        surface.put(PacingTests.marks[index], row: 0, column: 2)
                        isDirty = true
                    default: break
                    }
                }
            }
        }
    }
}
