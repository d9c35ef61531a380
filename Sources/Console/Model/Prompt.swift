package import ControlProtocol
import Primitives
import Terminal

/// What the console asks, and what lies over the screen.
package enum Overlay: Hashable, Sendable {
    /// How to end: detach, mute and detach, leave, close for everyone.
    case quit
    /// A line of text.
    case text(TextPrompt)
    /// Every key.
    case help(scroll: Int)
    /// The room's links and invites.
    case invite(InvitePage)
    /// An invite that is being made.
    case inviteForm(InviteForm)
    /// What is asked once more.
    case question(Question)
    /// The message log.
    case messages(scroll: Int)
    /// Microphones and speakers to choose from.
    case devices(DevicePicker)
    /// What `hoot.conf` can say.
    case settings(SettingsPage)

    /// The first line shown of a page.
    var scroll: Int {
        switch self {
        case .help(let scroll), .messages(let scroll): scroll
        case .devices(let picker): picker.top
        case .settings(let page): page.top
        default: 0
        }
    }
}

/// A line that is being typed.
package struct TextPrompt: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        case join
        case host
        case wait
        case ring
        case chat
        /// What the others are to see.
        case show
        /// A word on this moment.
        case note
        /// A message to one person alone.
        case tell(id: String, name: String)
        /// A part of a name, which filters the people as it is typed.
        case filter
        /// A verb, a method or what a key does.
        case command
        /// The value of a setting.
        case setting(SettingState)
        /// A part of a setting's name or meaning.
        case find
        /// What the keys of the shared terminal send.
        case type
    }

    package var purpose: Purpose
    /// What stands before the cursor, and what behind it.
    private(set) var before = ""
    private(set) var after = ""
    /// What could be typed on, after it was asked for.
    package internal(set) var candidates: [String] = []

    /// The longest line in bytes: that of a message; a link is a few hundred.
    static let limit = 4000

    package init(_ purpose: Purpose) {
        self.purpose = purpose
    }

    package var text: String { before + after }

    /// The question before the line.
    var question: String {
        switch purpose {
        case .join: "join (link or saved room): "
        case .host: "host a room called (empty: a made-up name): "
        case .wait: "wait in (link or saved room): "
        case .ring: "ring whom (names, commas between): "
        case .chat: "say: "
        case .show: "show (terminal:COMMAND, file:PATH.y4m, camera:NAME, pattern): "
        case .note: "note on this moment: "
        case .tell(_, let name): "to \(DisplayWidth.clip(name, 24)) alone: "
        case .filter: "people whose name has: "
        case .command: ":"
        case .setting(let setting): "\(setting.name) (\(setting.values)): "
        case .find: "setting with: "
        case .type: "type into the shared terminal: "
        }
    }

    /// The question where there is no room for it all.
    var shortQuestion: String {
        switch purpose {
        case .join: "join: "
        case .host: "host: "
        case .wait: "wait in: "
        case .ring: "ring: "
        case .chat: "say: "
        case .show: "show: "
        case .note: "note: "
        case .tell(_, let name): "to \(DisplayWidth.clip(name, 8)): "
        case .filter: "/"
        case .command: ":"
        case .setting(let setting): "\(setting.name.split(separator: ".").last ?? ""): "
        case .find: "/"
        case .type: "type: "
        }
    }

    /// Whether it is a message, which may have several lines and is shown as it is.
    private var isMessage: Bool {
        switch purpose {
        case .chat, .tell: true
        case .join, .host, .wait, .ring, .show, .note, .filter, .command, .setting, .find, .type: false
        }
    }

    /// A part of the line, from its beginning, as it is shown. Links carry a secret, so they are not echoed whole.
    private func shown(_ text: String) -> String {
        guard !isMessage else { return text.replacing("\n", with: " ") }
        if case .setting(let setting) = purpose, setting.isSecret == true, setting.kind == .text {
            return String(repeating: "*", count: text.count)
        }
        guard let hash = text.firstIndex(of: "#") else { return text }
        return String(text[...hash])
            + String(repeating: "*", count: min(8, text.distance(from: hash, to: text.endIndex) - 1))
    }

    /// The line as it is shown, before the cursor and behind it.
    var shown: (before: String, after: String) {
        let (whole, before) = (shown(text), shown(before))
        return (before, String(whole.dropFirst(before.count)))
    }

    /// Types text, as much as there is room for. Controls are left out; line ends of a paste are kept in messages only.
    mutating func insert(_ more: String) {
        var room = Self.limit - text.utf8.count
        for character in more where isWanted(character) {
            room -= character.utf8.count
            guard room >= 0 else { return }
            before.append(character)
        }
    }

    private func isWanted(_ character: Character) -> Bool {
        if isMessage, character == "\n" { return true }
        return !String(character).hasControls
    }

    /// Does what a key does in any line: types, takes back, or moves the cursor, as readline(3) has it.
    mutating func edit(with key: Key) {
        switch key {
        case Key(.backspace), Key("h", .control): _ = before.popLast()
        case Key(.delete), Key("d", .control): if !after.isEmpty { after.removeFirst() }
        case Key("u", .control): before = ""
        case Key("k", .control): after = ""
        case Key("w", .control): _ = takeWord()
        case Key(.left), Key("b", .control): if let last = before.popLast() { after = String(last) + after }
        case Key(.right), Key("f", .control): if !after.isEmpty { before.append(after.removeFirst()) }
        case Key(.home), Key("a", .control): (before, after) = ("", text)
        case Key(.end), Key("e", .control): (before, after) = (text, "")
        case Key(.left, .control), Key("b", .alt): after = takeWord() + after
        case Key(.right, .control), Key("f", .alt): skipWord()
        default:
            if case .character(let character) = key.code, key.modifiers.isEmpty { insert(String(character)) }
        }
    }

    /// Takes the word before the cursor, and the blanks behind it, out of the line.
    private mutating func takeWord() -> String {
        let blanks = before.reversed().prefix { $0.isWhitespace }.count
        let letters = before.dropLast(blanks).reversed().prefix { !$0.isWhitespace }.count
        defer { before = String(before.dropLast(blanks + letters)) }
        return String(before.suffix(blanks + letters))
    }

    private mutating func skipWord() {
        let blanks = after.prefix { $0.isWhitespace }.count
        let letters = after.dropFirst(blanks).prefix { !$0.isWhitespace }.count
        before += after.prefix(blanks + letters)
        after = String(after.dropFirst(blanks + letters))
    }

    mutating func replace(with line: String) {
        (before, after) = ("", "")
        candidates = []
        insert(line)
    }
}

/// The devices that the core knows, as rows to choose from.
package struct DevicePicker: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var isInput: Bool
        /// The stable name, or `default`.
        package var name: String
        package var description: String
    }

    package private(set) var rows: [Row] = []
    package var selection = 0
    /// The first line that is shown, while the selection is not beyond it.
    var top = 0
    package private(set) var isLoaded = false
    /// The page that is shown again afterwards.
    let origin: SettingsPage?

    init(from origin: SettingsPage? = nil) {
        self.origin = origin
    }

    /// Takes the answer of `audio.devices`.
    mutating func load(_ answer: JSONValue) {
        isLoaded = true
        rows = Self.rows(answer["inputs"], isInput: true) + Self.rows(answer["outputs"], isInput: false)
        selection = min(selection, max(0, rows.count - 1))
    }

    private static func rows(_ list: JSONValue?, isInput: Bool) -> [Row] {
        guard case .array(let items) = list else { return [] }
        var rows = items.compactMap { item in
            item["name"]?.stringValue.map { name in
                Row(isInput: isInput, name: name, description: item["description"]?.stringValue ?? name)
            }
        }
        let alike = Dictionary(grouping: rows, by: \.description).filter { $1.count > 1 }
        for index in rows.indices where alike[rows[index].description] != nil {
            rows[index].description += " (\(rows[index].name))"
        }
        return [Row(isInput: isInput, name: "default", description: "chosen by hoot")] + rows
    }
}
