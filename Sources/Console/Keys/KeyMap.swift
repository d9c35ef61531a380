package import KeyFiles
import Primitives
import Terminal

/// Which key does what.
package struct KeyMap: Sendable {
    package private(set) var bindings: [KeyBinding]

    /// The binding of `key` on the present screen. A binding of this very screen goes before one of everywhere.
    func binding(for key: Key, in model: ConsoleModel) -> KeyBinding? {
        let offered = bindings.filter { $0.keys.contains(key) && $0.isOffered(in: model) }
        return offered.first { $0.place != .everywhere } ?? offered.first
    }

    /// The first key of an action, as texts name it; its name where it has none.
    func key(of action: String) -> String {
        bindings.first { $0.action == action }?.keys.first?.description ?? action
    }

    /// The way out: of its keys this one is always bound.
    private static let exit = (action: "quit", key: Key("c", .control))

    /// The group of `keys.conf`; its line may be left out.
    package static let group = "keys"

    /// The keys of the user's `keys.conf`.
    static func load(_ directories: Directories) throws(UserFacingError) -> (map: KeyMap, warnings: [KeyFileWarning]) {
        load(try KeyFile.load(path: directories.keysPath, unnamedGroup: group))
    }

    /// The keys of `keys.conf`: an action's name, its keys separated by spaces or commas; none unbinds it. What cannot be
    /// understood is passed over with a warning; so is what would leave no way out.
    package static func load(_ file: borrowing KeyFile) -> (map: KeyMap, warnings: [KeyFileWarning]) {
        var map = KeyMap.standard
        var warnings = file.warnings
        func warn(_ action: String, _ message: String) {
            let line = file.line(of: action, in: group)
            warnings.append(KeyFileWarning(file: file.name, line: line, message: message))
        }
        for other in file.groups where other != group {
            warnings.append(
                KeyFileWarning(file: file.name, line: nil, message: "[\(other)] is passed over: keys are in [\(group)]")
            )
        }
        for action in file.keys(in: group) {
            guard let index = map.bindings.firstIndex(where: { $0.action == action }) else {
                warn(action, "there is no action \"\(action)\"")
                continue
            }
            do {
                let words = try file.string(action, in: group) ?? ""
                let keys = words.split { $0 == " " || $0 == "," }.map(String.init)
                let unknown = keys.filter { Key(parsing: $0) == nil }
                for word in unknown { warn(action, "\"\(word)\" names no key") }
                guard unknown.isEmpty || unknown.count < keys.count else { continue }
                let wanted = keys.compactMap { Key(parsing: $0) }
                let kept = wanted.filter { $0 != exit.key }
                if action == exit.action {
                    if wanted.isEmpty { warn(action, "\(exit.key) stays: there has to be a way out") }
                    map.rebind(index, to: kept + [exit.key])
                } else {
                    if kept != wanted { warn(action, "\(exit.key) stays with \(exit.action), the way out") }
                    if kept == wanted || !kept.isEmpty { map.rebind(index, to: kept) }
                }
            } catch {
                warn(action, error.why)
            }
        }
        return (map, warnings + map.conflicts.map { KeyFileWarning(file: file.name, line: nil, message: $0) })
    }

    /// The default keys.
    package static let standard = KeyMap(
        bindings: microphoneBindings + soundBindings + peopleBindings + videoBindings + callBindings + panelBindings
            + consoleBindings)

    private mutating func rebind(_ index: Int, to keys: [Key]) {
        let old = bindings[index]
        bindings[index] = KeyBinding(
            old.action, keys, old.section, in: old.place, old.summary, line: old.line, keysText: nil, label: old.label,
            reason: old.reason, run: old.run)
    }

    /// Keys that are bound twice on one screen, in words.
    package var conflicts: [String] {
        var result: [String] = []
        for (index, binding) in bindings.enumerated() {
            for other in bindings[(index + 1)...] where binding.place.overlaps(other.place) {
                for key in Set(binding.keys).intersection(other.keys).sorted(by: { $0.description < $1.description }) {
                    result.append("\(key) does both \(binding.action) and \(other.action)")
                }
            }
        }
        return result
    }

    /// The README's table.
    package var markdownTable: String {
        var lines = ["| key | what it does |", "| --- | --- |"]
        for section in KeyBinding.Section.allCases {
            lines.append("| **\(section.rawValue)** | |")
            for binding in bindings where binding.section == section {
                let keys =
                    binding.keys.isEmpty || binding.keysText != nil
                    ? binding.keysShown : binding.keys.map(\.description).joined(separator: "` `")
                lines.append("| `\(keys)` | \(binding.summary) |")
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension KeyBinding.Place {
    /// Whether both can be on one screen.
    fileprivate func overlaps(_ other: KeyBinding.Place) -> Bool {
        switch (self, other) {
        case (.call, .home), (.home, .call), (.push, .home), (.home, .push): false
        default: true
        }
    }
}
