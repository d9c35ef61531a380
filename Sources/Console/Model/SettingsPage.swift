import ControlProtocol

/// The page of settings: what is in force, and one that is being changed.
package struct SettingsPage: Hashable, Sendable {
    /// In the order of the documents; empty until the core has told.
    private(set) var settings: [SettingState] = []
    private(set) var isLoaded = false
    var selection = 0
    /// The first line that is shown, while the selection is not beyond it.
    var top = 0
    /// The value that is being typed, or a part of a name that is looked for.
    var typing: TextPrompt?
    /// Why the last change was refused.
    var refusal: String?

    var selected: SettingState? { settings.indices.contains(selection) ? settings[selection] : nil }

    /// Takes the answer of `settings.list`.
    mutating func load(_ answer: JSONValue) {
        isLoaded = true
        settings = (try? answer["settings"]?.decoded(as: [SettingState].self)) ?? []
        selection = max(0, min(selection, settings.count - 1))
    }

    /// Takes the value that is in force now.
    mutating func take(_ value: JSONValue, of name: String) {
        guard let index = settings.firstIndex(where: { $0.name == name }) else { return }
        settings[index].value = value
        refusal = nil
    }

    mutating func move(_ offset: Int) {
        selection = max(0, min(settings.count - 1, selection + offset))
        refusal = nil
    }

    /// Selects the next setting, from this one on, whose name or meaning has the text.
    mutating func find(_ text: String) {
        let wanted = text.lowercased()
        let next = Array(selection..<settings.count) + Array(0..<selection)
        let found = next.first { "\(settings[$0].name) \(settings[$0].summary)".lowercased().contains(wanted) }
        if let found { move(found - selection) }
    }

    /// The value after the selected one's, or before; `nil`: it is typed.
    func neighbour(_ step: Int, themes: [String]) -> JSONValue? {
        guard let selected else { return nil }
        switch selected.kind {
        case .boolean: return .bool(selected.value.boolValue != true)
        case .choice: return Self.neighbour(of: selected.value, in: selected.choices ?? [], step)
        case .text where selected.name == "console.theme": return Self.neighbour(of: selected.value, in: themes, step)
        case .text, .list, .number: return nil
        }
    }

    private static func neighbour(of value: JSONValue, in words: [String], _ step: Int) -> JSONValue? {
        guard !words.isEmpty else { return nil }
        let index = value.stringValue.flatMap { words.firstIndex(of: $0) } ?? 0
        return .string(words[(index + step + words.count) % words.count])
    }
}
