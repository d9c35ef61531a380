import Glibc
import Primitives

/// What a terminal answers when it is asked, before anything else is drawn.
extension TerminalDevice {
    /// An answer, if one came, and the keys that were typed meanwhile.
    package struct Answer<Value: Sendable>: Sendable {
        package var value: Value?
        package var typed: [UInt8]
    }

    /// How long an answer is waited for: a slow line's round trip.
    package static let patience = Duration.milliseconds(500)

    /// Asks whether the terminal takes UTF-8, whatever the locale says: a letter of two bytes moves its cursor by one
    /// column or by two (CPR). The line that the cursor is in is cleared.
    package func takesUTF8(within limit: Duration = patience) -> Answer<Bool> {
        let answer = ask("\r\u{E9}\u{1B}[6n", final: UInt8(ascii: "R"), within: limit)
        _ = write(ArraySlice("\r\u{1B}[K".utf8))
        let column = answer.value?.split(separator: UInt8(ascii: ";")).last
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        return Answer(value: column.map { $0 == 2 }, typed: answer.typed)
    }

    /// Asks what kind of terminal this is (DA1); one that answers understands what xterm does.
    package func answersLikeXterm(within limit: Duration = patience) -> Answer<Bool> {
        let answer = ask("\u{1B}[c", final: UInt8(ascii: "c"), within: limit)
        return Answer(value: answer.value.map { $0.first == UInt8(ascii: "?") }, typed: answer.typed)
    }

    /// Sends a question and reads until a control sequence ends with `final`; its parameters are the answer.
    private func ask(_ question: String, final: UInt8, within limit: Duration) -> Answer<[UInt8]> {
        let deadline = MonoTime.now() + limit
        _ = write(ArraySlice(question.utf8))
        var bytes: [UInt8] = []
        while true {
            if let found = Self.answer(in: bytes, final: final) {
                let rest = bytes[..<found.lowerBound] + bytes[found.upperBound...]
                return Answer(value: Array(bytes[found].dropFirst(2).dropLast()), typed: Array(rest))
            }
            let left = (deadline - MonoTime.now()).milliseconds
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&poller, 1, Int32(left.rounded(.up))) == 1, let more = read(), !more.isEmpty else {
                return Answer(value: nil, typed: bytes)
            }
            bytes += more
        }
    }

    /// Where the bytes hold a whole `CSI … final` of nothing but parameters.
    private static func answer(in bytes: [UInt8], final: UInt8) -> Range<Int>? {
        for start in bytes.indices where bytes[start...].starts(with: [0x1B, 0x5B]) {
            guard let end = bytes[(start + 2)...].firstIndex(where: { !(0x30...0x3F).contains($0) }) else { return nil }
            if bytes[end] == final, end > start + 2 { return start..<end + 1 }
        }
        return nil
    }
}
