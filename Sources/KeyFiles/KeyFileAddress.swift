/// Where a value stands: its group and its key.
struct KeyFileAddress: Hashable {
    var group: String
    var key: String

    /// Whether GLib takes `name` as a group: printable, no brackets.
    static func isGroupName(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy { $0 != "[" && $0 != "]" && $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// Whether GLib takes `name` as a key: no `=`, brackets or `#`, no space at either end.
    static func isKeyName(_ name: String) -> Bool {
        guard let first = name.first, let last = name.last, first != " ", last != " " else { return false }
        return name.unicodeScalars.allSatisfy {
            $0 != "=" && $0 != "[" && $0 != "]" && $0 != "#" && $0.value >= 0x20 && $0.value != 0x7F
        }
    }
}
