/// A whole `CSI … final` sequence.
struct ControlSequence {
    /// Numbers between semicolons; an empty or unreadable one is 0, sub-parameters after a colon are left out.
    private let parameters: [Int]
    private let isPrivate: Bool
    private let isMouse: Bool
    private let final: UInt8
    /// Whether a key was let go: the event type behind the modifiers is 3.
    private let isRelease: Bool

    init(body: ArraySlice<UInt8>, final: UInt8) {
        self.final = final
        isMouse = body.first == 0x3C
        isPrivate = body.contains { !(0x30...0x3B).contains($0) }
        let fields = body.split(separator: 0x3B, omittingEmptySubsequences: false)
        isRelease =
            fields.count > 1 && fields[1].split(separator: 0x3A).dropFirst().first?.elementsEqual([0x33]) == true
        parameters = fields.map { field in
            field.prefix { $0 != 0x3A }.reduce(0) { value, byte in
                (0x30...0x39).contains(byte) && value < 100_000 ? value * 10 + Int(byte) - 0x30 : value
            }
        }
    }

    func decision(count: Int) -> SequenceDecoder.Decision {
        if isMouse, parameters.count == 3 { return mouse(count: count) }
        // Other private ones (mode answers) are not keys.
        guard !isPrivate else {
            // DECRPM: 1 set, 2 reset, 3 always set; 0 unknown, 4 never set.
            if final == 0x75 { return .event(.keyboard(KeyboardFlags(rawValue: parameter(0))), count: count) }
            guard final == 0x79, parameter(0) == 2026 else { return .nothing(count: count) }
            return .event(.synchronizes((1...3).contains(parameter(1))), count: count)
        }
        if isRelease, case .event(.key(let key), _) = ordinary(count: count) {
            return .event(.release(key), count: count)
        }
        return ordinary(count: count)
    }

    private func ordinary(count: Int) -> SequenceDecoder.Decision {
        switch final {
        case 0x7E: return tilde(count: count)
        case 0x75: return unicodeKey(parameter(0), modifiers: modifiers(1), count: count)
        case 0x5A: return .event(.key(Key(.tab, .shift)), count: count)
        case 0x49 where parameters == [0] || parameters.isEmpty: return .event(.focus(true), count: count)
        case 0x4F where parameters == [0] || parameters.isEmpty: return .event(.focus(false), count: count)
        case 0x6E: return parameters == [0] ? .event(.ready, count: count) : .nothing(count: count)
        default: return letter(count: count)
        }
    }

    private func letter(count: Int) -> SequenceDecoder.Decision {
        guard let code = SequenceDecoder.letterKeys[final], parameters.count <= 2 else { return .nothing(count: count) }
        return .event(.key(Key(code, modifiers(1))), count: count)
    }

    /// xterm's SGR report: the button, the column and the row from 1; `M` for a press. 4, 8 and 16 are modifiers.
    private func mouse(count: Int) -> SequenceDecoder.Decision {
        let position = Position(row: parameter(2) - 1, column: parameter(1) - 1)
        guard final == 0x4D, position.row >= 0, position.column >= 0 else { return .nothing(count: count) }
        switch parameter(0) & ~28 {
        case 0: return .event(.click(position), count: count)
        case 64: return .event(.wheel(-1, position), count: count)
        case 65: return .event(.wheel(1, position), count: count)
        default: return .nothing(count: count)
        }
    }

    private func tilde(count: Int) -> SequenceDecoder.Decision {
        switch parameter(0) {
        case 200: return .pasteBegins(count: count)
        case 27: return unicodeKey(parameter(2), modifiers: modifiers(1), count: count)
        default:
            guard let code = Self.tildeKeys[parameter(0)] else { return .nothing(count: count) }
            return .event(.key(Key(code, modifiers(1))), count: count)
        }
    }

    /// A key told by its code point (`CSI u`, and xterm's `CSI 27;m;c~`).
    private func unicodeKey(_ value: Int, modifiers: Key.Modifiers, count: Int) -> SequenceDecoder.Decision {
        if let code = Self.namedKeys[value] { return .event(.key(Key(code, modifiers)), count: count) }
        let code: Key.Code
        switch value {
        case 27: code = .escape
        case 13: code = .enter
        case 9: code = .tab
        case 127, 8: code = .backspace
        case 32...:
            guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init),
                scalar.properties.generalCategory != .privateUse, scalar.properties.generalCategory != .control
            else { return .nothing(count: count) }
            return .event(.key(Self.typed(Character(scalar), modifiers)), count: count)
        default: return .nothing(count: count)
        }
        return .event(.key(Key(code, modifiers)), count: count)
    }

    /// A shifted letter is the capital letter, as it is when a terminal sends plain text.
    private static func typed(_ character: Character, _ modifiers: Key.Modifiers) -> Key {
        guard modifiers.contains(.shift), character.isLetter, let capital = character.uppercased().first else {
            return Key(character, modifiers)
        }
        return Key(capital, modifiers.subtracting(.shift))
    }

    private func parameter(_ index: Int) -> Int {
        parameters.indices.contains(index) ? parameters[index] : 0
    }

    /// xterm's coding: 1 + shift + 2 alt + 4 control + 8 meta.
    private func modifiers(_ index: Int) -> Key.Modifiers {
        let bits = max(parameter(index), 1) - 1
        var modifiers = Key.Modifiers(rawValue: UInt8(bits & 7))
        if bits & 8 != 0 { modifiers.insert(.alt) }
        return modifiers
    }

    /// Keys without a character, in the private use of Unicode: F13 to F24 and the keypad.
    private static let namedKeys: [Int: Key.Code] = {
        var keys: [Int: Key.Code] = [
            57409: .character("."), 57410: .character("/"), 57411: .character("*"), 57412: .character("-"),
            57413: .character("+"), 57414: .enter, 57415: .character("="), 57416: .character(","), 57417: .left,
            57418: .right, 57419: .up, 57420: .down, 57421: .pageUp, 57422: .pageDown, 57423: .home, 57424: .end,
            57425: .insert, 57426: .delete, 57427: .character("5"),
        ]
        for number in 13...24 { keys[57363 + number] = .function(number) }
        for digit in 0...9 { keys[57399 + digit] = .character(Character(String(digit))) }
        return keys
    }()

    private static let tildeKeys: [Int: Key.Code] = {
        var keys: [Int: Key.Code] = [
            1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        ]
        let functionCodes = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34]
        for (index, code) in functionCodes.enumerated() { keys[code] = .function(index + 1) }
        return keys
    }()
}
