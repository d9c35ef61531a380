/// Keys as users write them: `m`, `M`, `C-c`, `A-1`, `S-tab`, `F2`, `enter`, `space`. Every key has a name; a character
/// that some files cannot hold has one beside itself.
extension Key: CustomStringConvertible {
    private static let names: [(name: String, code: Code)] = [
        ("enter", .enter), ("esc", .escape), ("tab", .tab), ("backspace", .backspace), ("up", .up), ("down", .down),
        ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("pageup", .pageUp),
        ("pagedown", .pageDown), ("insert", .insert), ("delete", .delete), ("space", .character(" ")),
        ("lt", .character("<")), ("gt", .character(">")), ("comma", .character(",")), ("semicolon", .character(";")),
        ("minus", .character("-")), ("plus", .character("+")), ("equal", .character("=")), ("hash", .character("#")),
        ("bracketleft", .character("[")), ("bracketright", .character("]")), ("backslash", .character("\\")),
    ]

    /// Reads one key; `nil` when the text names none.
    package init?(parsing text: String) {
        var rest = Substring(text)
        var modifiers: Modifiers = []
        while rest.count > 2, let mark = rest.first, rest.dropFirst().first == "-" {
            switch mark {
            case "C": modifiers.insert(.control)
            case "A": modifiers.insert(.alt)
            case "S": modifiers.insert(.shift)
            default: return nil
            }
            rest = rest.dropFirst(2)
        }
        guard let code = Self.code(named: rest) else { return nil }
        self.init(code, modifiers)
    }

    private static func code(named name: Substring) -> Code? {
        if name.count == 1, let character = name.first { return .character(character) }
        if let known = names.first(where: { $0.name == name.lowercased() }) { return known.code }
        if name.first == "F" || name.first == "f", let number = Int(name.dropFirst()), (1...24).contains(number) {
            return .function(number)
        }
        return nil
    }

    /// Reads a run of keys, named ones in angle brackets: `jj<enter>`, `<C-c>q`. `nil` when a bracket names no key.
    package static func sequence(_ text: String) -> [Key]? {
        var keys: [Key] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == "<", let close = rest.firstIndex(of: ">") {
                guard let key = Key(parsing: String(rest[..<close].dropFirst())) else { return nil }
                keys.append(key)
                rest = rest[rest.index(after: close)...]
            } else {
                keys.append(Key(first))
                rest = rest.dropFirst()
            }
        }
        return keys
    }

    package var description: String {
        var text = ""
        if modifiers.contains(.control) { text += "C-" }
        if modifiers.contains(.alt) { text += "A-" }
        if modifiers.contains(.shift) { text += "S-" }
        switch code {
        case .character(" "): return text + "space"
        case .character(let character): return text + String(character)
        case .function(let number): return text + "F\(number)"
        default: return text + (Self.names.first { $0.code == code }?.name ?? "?")
        }
    }
}
