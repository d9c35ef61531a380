/// Decides what the bytes at hand mean, without state.
enum SequenceDecoder {
    enum Decision: Equatable {
        /// They may be the beginning of something.
        case more
        /// The first `count` bytes are an event.
        case event(InputEvent, count: Int)
        /// The first `count` bytes mean nothing.
        case nothing(count: Int)
        /// The first `count` bytes begin a bracketed paste.
        case pasteBegins(count: Int)
        /// A control string (OSC, DCS, APC, PM, SOS) begins.
        case stringBegins
    }

    /// - Parameter bytes: at least one.
    static func decode(_ bytes: [UInt8]) -> Decision {
        guard let first = bytes.first else { return .more }
        if first == 0x1B { return decodeEscape(bytes) }
        if first < 0x80 { return .event(.key(control(first)), count: 1) }
        return decodeUTF8(bytes, modifiers: [], prefix: 0)
    }

    /// A byte below 0x80: a control key or a character.
    private static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x00: Key(" ", .control)
        case 0x08, 0x7F: Key(.backspace)
        case 0x09: Key(.tab)
        case 0x0A, 0x0D: Key(.enter)
        case 0x01...0x1A: Key(Character(Unicode.Scalar(byte + 0x60)), .control)
        case 0x1C...0x1F: Key(Character(Unicode.Scalar(byte + 0x40)), .control)
        default: Key(Character(Unicode.Scalar(byte)))
        }
    }

    private static func decodeUTF8(_ bytes: [UInt8], modifiers: Key.Modifiers, prefix: Int) -> Decision {
        let length: Int
        switch bytes[prefix] {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return .nothing(count: prefix + 1)
        }
        let sequence = bytes[prefix...].prefix(length)
        if let wrong = sequence.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
            return .nothing(count: wrong)
        }
        guard sequence.count == length else { return .more }
        guard let text = String(validating: sequence, as: UTF8.self), let character = text.first else {
            return .nothing(count: prefix + length)
        }
        return .event(.key(Key(character, modifiers)), count: prefix + length)
    }

    private static func decodeEscape(_ bytes: [UInt8]) -> Decision {
        guard bytes.count > 1 else { return .more }
        switch bytes[1] {
        case 0x1B: return .event(.key(Key(.escape)), count: 1)
        case 0x5B: return decodeCSI(bytes)
        case 0x4F: return decodeSS3(bytes)
        case 0x5D, 0x50, 0x5F, 0x5E, 0x58:
            // Alt with one of these is the same two bytes; only a string goes on at once.
            return bytes.count > 2 ? .stringBegins : .more
        case 0x80...: return decodeUTF8(bytes, modifiers: .alt, prefix: 1)
        default:
            var key = control(bytes[1])
            key.modifiers.insert(.alt)
            return .event(.key(key), count: 2)
        }
    }

    private static func decodeSS3(_ bytes: [UInt8]) -> Decision {
        guard bytes.count > 2 else { return .more }
        guard let code = letterKeys[bytes[2]] ?? keypad[bytes[2]] else { return .nothing(count: 3) }
        return .event(.key(Key(code)), count: 3)
    }

    private static func decodeCSI(_ bytes: [UInt8]) -> Decision {
        // ESC [ [ A … E: the Linux console's F1 to F5.
        if bytes.count > 2, bytes[2] == 0x5B {
            guard bytes.count > 3 else { return .more }
            guard (0x41...0x45).contains(bytes[3]) else { return .nothing(count: 4) }
            return .event(.key(Key(.function(Int(bytes[3]) - 0x40))), count: 4)
        }
        guard let end = bytes[2...].firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return .more }
        guard (0x40...0x7E).contains(bytes[end]) else {
            // A control byte breaks the sequence off and is looked at by itself.
            return .nothing(count: end)
        }
        let count = end + 1
        if bytes[end] == 0x4D, end == 2 {
            // X10 mouse report: three bytes follow.
            return bytes.count < 6 ? .more : .nothing(count: 6)
        }
        return ControlSequence(body: bytes[2..<end], final: bytes[end]).decision(count: count)
    }

    /// Final letters of CSI and SS3 keys.
    static let letterKeys: [UInt8: Key.Code] = [
        0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x45: .character("5"), 0x46: .end, 0x48: .home,
        0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
    ]

    /// The keypad in application mode.
    private static let keypad: [UInt8: Key.Code] = {
        var keys: [UInt8: Key.Code] = [0x4D: .enter, 0x20: .character(" "), 0x49: .tab, 0x58: .character("=")]
        for byte in UInt8(0x6A)...0x79 { keys[byte] = .character(Character(Unicode.Scalar(byte - 0x40))) }
        return keys
    }()
}
