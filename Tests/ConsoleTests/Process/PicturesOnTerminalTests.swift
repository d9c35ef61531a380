import Glibc
import Primitives
import TestSupport
import Testing

/// Moving pictures on a real pseudo terminal that is resized, stopped and not read.
@Suite(.serialized) struct PicturesOnTerminalTests {
    /// The demonstration, whose guests all show pictures.
    private final class Show {
        let directory: TemporaryDirectory
        let console: ConsoleProcess
        let screen: WatchedTerminal

        init(rows: Int = 40, columns: Int = 120) throws {
            directory = try TemporaryDirectory("hoot-pictures")
            let words = ["demo", "--guests", "2", "--seconds", "120"]
            console = try ConsoleProcess(words, in: directory, rows: rows, columns: columns)
            screen = WatchedTerminal(console.terminal, rows: rows, columns: columns)
        }

        deinit {
            console.send(SIGTERM)
            _ = console.wait()
        }

        /// Whether the stage comes to show `count` different pictures, one after another.
        func moves(_ count: Int = 5) -> Bool {
            var seen: Set<[UInt8]> = []
            return screen.watch { picture in
                guard let stage = picture.stage else { return false }
                let columns = 0..<picture.cells[0].count
                if let samples = picture.samples(rows: stage.rows, columns: columns) { seen.insert(samples.luma) }
                return seen.count >= count
            }
        }
    }

    @Test func aStormOfSizesDoesNoHarm() throws {
        let show = try Show()
        #expect(show.moves())
        var random = SplitMix64(seed: 17)
        for _ in 0..<1000 {
            let (rows, columns) = (Int.random(in: 3...90, using: &random), Int.random(in: 10...250, using: &random))
            show.screen.resize(rows: rows, columns: columns)
            show.screen.watch(within: .milliseconds(10)) { _ in false }
        }
        show.screen.resize(rows: 40, columns: 120)
        let isWhole = show.screen.watch { picture in
            picture.lines[0].contains("in call") && picture.lines[1].contains("MIC LIVE")
                && picture.lines[39].contains("q leave or detach")
        }
        #expect(isWhole, "\(show.screen.picture.lines.joined(separator: "\n"))")
        #expect(show.moves())
        show.console.terminal.type("m")
        #expect(show.screen.watch { $0.lines[1].contains("MUTED") })
    }

    @Test func stoppingAsAJobStopsThePicturesAndComingBackShowsThemAgain() throws {
        let show = try Show()
        #expect(show.moves())
        show.console.terminal.type("\u{1A}")
        #expect(show.console.waitUntilStopped())
        #expect(show.screen.watch { !$0.isAlternate })
        show.console.send(SIGCONT)
        #expect(show.screen.watch { $0.isAlternate && $0.lines[1].contains("MIC LIVE") })
        #expect(show.moves(), "\(show.screen.picture.lines.joined(separator: "\n"))")
    }

    /// The whole program behind 256 kb/s and 60 ms: what has not come through the line has not been drawn.
    @Test func behindASlowLineKeysAreAnsweredAndPicturesComeSlower() throws {
        let show = try Show()
        #expect(show.moves())
        let roundTrip = Duration.milliseconds(60)
        let terminal = show.console.terminal
        var now = MonoTime.now()
        var line = ThrottledLine(terminal, kilobitsPerSecond: 256, roundTrip: roundTrip, at: now)
        func pump(_ limit: Duration, until isDone: () -> Bool = { false }) -> Duration {
            let start = now
            repeat {
                var poller = pollfd(fd: terminal.master, events: 0, revents: 0)
                poll(&poller, 1, 2)
                now = .now()
                line.pump(at: now)
            } while !isDone() && now - start < limit
            return now - start
        }
        // The pacer learns what the line takes.
        _ = pump(.seconds(4))
        let before = line.seen.count
        var delays: [Duration] = []
        for _ in 0..<9 {
            _ = pump(.milliseconds(400))
            let from = line.seen.count
            terminal.type("t")
            delays.append(pump(.seconds(3)) { line.shows("say:", from: from) })
            terminal.type("\u{1B}")
        }
        let rate = Double(line.seen.count - before) / (delays.reduce(.milliseconds(9 * 400), +)).seconds
        #expect(rate > 4000, "pictures go on: \(Int(rate)) B/s")
        delays.sort()
        print("keys behind 256 kb/s and 60 ms: \(delays.map { Int($0.milliseconds) }) ms, \(Int(rate)) B/s")
        #expect(delays[4] <= .milliseconds(150) + roundTrip, "\(delays)")
    }

    @Test func keysOfAnUnreadTerminalAreObeyedAndTheNextFrameIsWhole() throws {
        let show = try Show(rows: 50, columns: 200)
        #expect(show.moves())
        // Nobody reads: the terminal's few kilobytes fill up while whole screens are asked for.
        for _ in 0..<30 { show.console.terminal.type("\u{C}") }
        show.console.terminal.type("m")
        #expect(show.screen.watch { $0.lines[1].contains("MUTED") && $0.lines[0].contains("in call") })
        #expect(show.moves())
    }
}
