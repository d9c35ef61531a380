package import Primitives

/// A line of few bits a second between a pseudo terminal and the one who reads it. What has not come through it has not
/// been drawn, and the terminal's state is told only when everything before the question has.
package struct ThrottledLine {
    private let terminal: PseudoTerminal
    private let bytesPerSecond: Double
    private let roundTrip: Duration
    private var now: MonoTime
    private var credit = 0.0
    private var answers: [(time: MonoTime, text: String)] = []
    private var scanned = 0
    /// Everything that came through.
    package private(set) var seen: [UInt8] = []

    private static let question = Array("\u{1B}[5n".utf8)

    package init(_ terminal: PseudoTerminal, kilobitsPerSecond: Double, roundTrip: Duration, at now: MonoTime) {
        self.terminal = terminal
        bytesPerSecond = kilobitsPerSecond * 125
        self.roundTrip = roundTrip
        self.now = now
    }

    /// Lets through what the time since the last call allows, and answers what is due.
    package mutating func pump(at time: MonoTime) {
        // What was not used is lost, as on a real line.
        credit = min(credit + (time - now).seconds * bytesPerSecond, bytesPerSecond)
        now = time
        while credit >= 1 {
            let bytes = terminal.read(atMost: min(Int(credit), 256))
            if bytes.isEmpty {
                credit = 0
                break
            }
            credit -= Double(bytes.count)
            seen += bytes
        }
        while let end = nextQuestion() {
            scanned = end
            answers.append((time + roundTrip, "\u{1B}[0n"))
        }
        while let first = answers.first, first.time <= time {
            terminal.type(first.text)
            answers.removeFirst()
        }
    }

    private func nextQuestion() -> Int? {
        seen.indices.dropFirst(scanned).first { seen[$0...].starts(with: Self.question) }.map { $0 + 4 }
    }

    /// Whether `text` came through, from byte `start` on.
    package func shows(_ text: String, from start: Int) -> Bool {
        let wanted = Array(text.utf8)
        return seen.indices.dropFirst(start).contains { seen[$0...].starts(with: wanted) }
    }
}
