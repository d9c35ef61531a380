import Console
import ControlProtocol
import Foundation
import Primitives
import Terminal
import TestSupport

/// What the console's own screen costs: bytes of a refresh of 16 meters and of one in which nothing changed, and the time of
/// a frame while 500 participants are scrolled through.
struct ScreenCost {
    private static let size = Size(rows: 43, columns: 132)

    private struct Result: Encodable {
        var machine = Machine()
        /// The target is 800.
        var bytesPerRefreshOf16Meters = 0
        var bytesWhenNothingChanges = 0
        /// Layout, drawing and writing; the target is 10 ms.
        var frameMedianMs = 0.0
        var frameMaxMs = 0.0
    }

    func perform() throws -> String {
        var result = Result()
        try withScreen { screen, device, terminal in
            var console = Simulated(people: 15)
            console.draw(&screen, device, terminal)
            let before = screen.meter.bytes
            for _ in 0..<100 {
                console.passTenth()
                console.draw(&screen, device, terminal)
            }
            result.bytesPerRefreshOf16Meters = (screen.meter.bytes - before) / 100
            let still = screen.meter.bytes
            for _ in 0..<10 { console.draw(&screen, device, terminal) }
            result.bytesWhenNothingChanges = screen.meter.bytes - still
        }
        try withScreen { screen, device, terminal in
            var console = Simulated(people: 499)
            console.draw(&screen, device, terminal)
            var times = (0..<499).map { _ in
                let start = MonoTime.now()
                console.press(Key("j"))
                console.draw(&screen, device, terminal)
                return (MonoTime.now() - start).milliseconds
            }
            times.sort()
            result.frameMedianMs = times[times.count / 2]
            result.frameMaxMs = times.last ?? 0
        }
        return try report(["screen": result])
    }

    private func withScreen(
        _ body: (inout CursesScreen, borrowing TerminalDevice, PseudoTerminal) throws -> Void
    ) throws {
        let terminal = try PseudoTerminal(rows: UInt16(Self.size.rows), columns: UInt16(Self.size.columns))
        let device = try TerminalDevice(path: terminal.path)
        let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)
        var screen = try CursesScreen(environment: environment, size: Self.size)
        defer { screen.leave(device, within: .zero) }
        try body(&screen, device, terminal)
    }

    /// A console whose core says what it is told to.
    private struct Simulated {
        private var model: ConsoleModel
        private var now = ConsoleTime(mono: .zero + .seconds(100), wallMs: 1_800_000_000_000)
        private var random = SplitMix64(seed: 5)
        private let ids: [String]
        private let look = Look(theme: .standard, glyphs: .utf8)

        init(people: Int) {
            model = ConsoleModel(now: now)
            ids = (0..<people).map { "p\($0)" }
            model.attached(mismatch: nil, pulseServer: nil, at: now)
            _ = model.takeEffects()
            var state = CoreState()
            state.audio.microphone = .live
            state.activeCall = "c"
            var call = CallState(
                id: "c", room: "bench", host: "here", role: .guest, phase: .connected, myId: "me", myName: "me")
            for (number, id) in ids.enumerated() {
                var person = Participant(id: id, name: "person \(number)")
                person.link = .connected
                call.people[id] = person
                call.order.append(id)
            }
            state.calls["c"] = call
            tell(.state(revision: 1, state))
            passTenth()
        }

        /// Everybody's level changes, as levels of speech do.
        mutating func passTenth() {
            now = now + .milliseconds(100)
            var levels = LevelsUpdate()
            levels.microphone = Int.random(in: -60 ... -20, using: &random)
            for id in ids { levels.people[id] = Int.random(in: -60 ... -20, using: &random) }
            tell(.levels(levels))
        }

        mutating func press(_ key: Key) {
            model.receive(.key(key), at: now)
            _ = model.takeEffects()
        }

        func draw(_ screen: inout CursesScreen, _ device: borrowing TerminalDevice, _ terminal: PseudoTerminal) {
            let surface = ConsoleView.render(model, size: ScreenCost.size, look: look)
            var drawing = screen.draw(surface, on: device, at: .now())
            while drawing == .waiting {
                terminal.drain()
                drawing = screen.flush(to: device, at: .now())
            }
            terminal.drain()
            terminal.forget()
        }

        private mutating func tell(_ update: Update) {
            guard let message = try? update.message() else { return }
            model.receive(message, at: now)
            _ = model.takeEffects()
        }
    }
}
