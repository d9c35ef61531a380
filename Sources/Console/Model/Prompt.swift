import ControlProtocol
import Terminal

/// What the console asks, and what lies over the screen.
package enum Overlay: Hashable, Sendable {
    /// How to end: detach, mute and detach, leave, close for everyone.
    case quit
    /// A line of text.
    case text(TextPrompt)
    /// Every key.
    case help(scroll: Int)
    /// The room's links: which one is shown.
    case invite(selection: Int)
    /// The message log.
    case messages(scroll: Int)
    /// Microphones and speakers to choose from.
    case devices(DevicePicker)

    /// The first line shown of a page.
    var scroll: Int {
        switch self {
        case .help(let scroll), .messages(let scroll): scroll
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
    }

    package var purpose: Purpose
    package private(set) var text = ""

    /// The longest line: a link is a few hundred bytes.
    static let limit = 4096

    package init(_ purpose: Purpose) {
        self.purpose = purpose
    }

    /// The question before the line.
    var question: String {
        switch purpose {
        case .join: "join (link or saved room): "
        case .host: "host a room called (empty: a made-up name): "
        case .wait: "wait in (link or saved room): "
        case .ring: "ring whom (names, commas between): "
        }
    }

    /// The question where there is no room for it all.
    var shortQuestion: String {
        switch purpose {
        case .join: "join: "
        case .host: "host: "
        case .wait: "wait in: "
        case .ring: "ring: "
        }
    }

    /// Links carry a secret, so they are not echoed whole.
    var shown: String {
        guard let hash = text.firstIndex(of: "#") else { return text }
        return String(text[...hash])
            + String(repeating: "*", count: min(8, text.distance(from: hash, to: text.endIndex) - 1))
    }

    /// Types text; line ends and other controls of a paste are left out.
    mutating func insert(_ more: String) {
        let clean = more.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        text.unicodeScalars.append(contentsOf: clean)
        if text.utf8.count > Self.limit { text = String(text.prefix(Self.limit / 4)) }
    }

    mutating func deleteLast() {
        if !text.isEmpty { text.removeLast() }
    }

    mutating func deleteAll() {
        text = ""
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
    package private(set) var isLoaded = false

    package init() {}

    /// Takes the answer of `audio.devices`.
    mutating func load(_ answer: JSONValue) {
        isLoaded = true
        rows = Self.rows(answer["inputs"], isInput: true) + Self.rows(answer["outputs"], isInput: false)
        selection = min(selection, max(0, rows.count - 1))
    }

    private static func rows(_ list: JSONValue?, isInput: Bool) -> [Row] {
        guard case .array(let items) = list else { return [] }
        let automatic = Row(isInput: isInput, name: "default", description: "chosen by hoot")
        return [automatic]
            + items.compactMap { item in
                guard let name = item["name"]?.stringValue else { return nil }
                return Row(isInput: isInput, name: name, description: item["description"]?.stringValue ?? name)
            }
    }
}
