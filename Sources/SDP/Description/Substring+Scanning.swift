internal import Glibc

/// Text is scanned by its UTF-8: a separator followed by a combining mark is a separator still.
extension Substring {
    /// The parts before and after the first `separator`; the second is `nil` where there is none.
    func cut(at separator: Unicode.Scalar) -> (Substring, Substring?) {
        guard let offset = utf8.offset(of: UInt8(truncatingIfNeeded: separator.value)) else { return (self, nil) }
        let index = utf8.index(startIndex, offsetBy: offset)
        return (self[..<index], self[utf8.index(after: index)...])
    }

    /// The parts between spaces and tabs.
    var words: [Substring] {
        utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map(Substring.init)
    }

    var trimmed: Substring {
        guard let first = utf8.first, let last = utf8.last else { return self }
        guard first <= UInt8(ascii: " ") || last <= UInt8(ascii: " ") else { return self }
        var rest = utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        while let last = rest.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { rest.removeLast() }
        return Substring(rest)
    }

    func parts(separatedBy separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(truncatingIfNeeded: separator.value)).map(Substring.init)
    }
}

extension Substring.UTF8View {
    /// How many bytes stand before the first `byte`.
    func offset(of byte: UInt8) -> Int? {
        let found = withContiguousStorageIfAvailable { buffer -> Int? in
            guard let start = UnsafeRawPointer(buffer.baseAddress), let hit = memchr(start, CInt(byte), buffer.count)
            else { return nil }
            return UnsafeRawPointer(hit) - start
        }
        return found ?? firstIndex(of: byte).map { distance(from: startIndex, to: $0) }
    }

    /// Whether there is a NUL, a carriage return or a line feed, which no value of a line may have.
    var breaksLine: Bool {
        offset(of: 0) != nil || offset(of: UInt8(ascii: "\r")) != nil || offset(of: UInt8(ascii: "\n")) != nil
    }
}

/// A decimal number without a sign; `nil` where anything else stands or it does not fit.
func decimal<Number: FixedWidthInteger>(_ text: some StringProtocol, as type: Number.Type = Number.self) -> Number? {
    guard let first = text.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
    return Number(text)
}
