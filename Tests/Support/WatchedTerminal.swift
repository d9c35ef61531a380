import Glibc
import Primitives

/// Somebody who looks at a pseudo terminal all the time: what comes is shown as it comes, and the terminal's state is told
/// when it is asked for.
package final class WatchedTerminal {
    package let terminal: PseudoTerminal
    package private(set) var picture: TerminalPicture
    /// A sequence whose end has not come.
    private var pending: [UInt8] = []
    private var answered = 0

    package init(_ terminal: PseudoTerminal, rows: Int, columns: Int) {
        self.terminal = terminal
        picture = TerminalPicture(rows: rows, columns: columns)
    }

    /// Looks on until the picture fits or `limit` is over. Returns whether it fits.
    @discardableResult
    package func watch(within limit: Duration = .seconds(20), until fits: (TerminalPicture) -> Bool) -> Bool {
        let deadline = MonoTime.now() + limit
        while true {
            look()
            if fits(picture) { return true }
            let left = deadline - MonoTime.now()
            guard left > .zero else { return false }
            var poller = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, Int32(min(left.milliseconds.rounded(.up), 1000)))
        }
    }

    /// The terminal's window has another size, and is empty.
    package func resize(rows: Int, columns: Int) {
        look()
        picture = TerminalPicture(rows: rows, columns: columns)
        answered = 0
        terminal.resize(rows: UInt16(rows), columns: UInt16(columns))
    }

    private func look() {
        guard terminal.drain() > 0 else { return }
        pending += terminal.output
        terminal.forget()
        let end = Self.wholeCount(pending)
        picture.show(Array(pending[..<end]))
        pending.removeFirst(end)
        while answered < picture.questionCount {
            answered += 1
            terminal.type("\u{1B}[0n")
        }
    }

    /// The bytes before a character or control sequence that is not whole.
    private static func wholeCount(_ bytes: [UInt8]) -> Int {
        if let escape = bytes.suffix(4096).lastIndex(of: 0x1B), !isWhole(bytes[escape...]) { return escape }
        guard let lead = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[lead] >= 0xC0 else {
            return bytes.count
        }
        let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
        return bytes.count - lead < length ? lead : bytes.count
    }

    private static func isWhole(_ sequence: ArraySlice<UInt8>) -> Bool {
        let rest = sequence.dropFirst()
        switch rest.first {
        case UInt8(ascii: "["): return rest.dropFirst().contains { (0x40...0x7E).contains($0) }
        case UInt8(ascii: "]"): return rest.contains(7)
        case UInt8(ascii: "("), UInt8(ascii: ")"): return rest.count > 1
        default: return rest.first != nil
        }
    }
}
