import ControlProtocol
package import Terminal

/// One thing that keys do. The same record binds the keys, labels the key lines, fills the help and the README's table.
package struct KeyBinding: Sendable {
    package enum Section: String, CaseIterable, Sendable {
        case microphone = "Microphone"
        case sound = "Sound"
        case people = "People"
        case video = "Video"
        case call = "Call"
        case panels = "Panels"
        case console = "Console"
    }

    /// Where the binding is offered.
    package enum Place: Sendable {
        case everywhere
        case call
        case home
        /// In a call whose microphone is pushed to talk.
        case push
        /// While somebody rings or knocks.
        case asked

        /// Why a key of this place does nothing elsewhere, and the keys that lead there.
        func whereNot(_ keys: KeyMap) -> String {
            switch self {
            case .everywhere: "it does nothing here"
            case .call: "there is no call; \(keys.key(of: "join")) joins one, \(keys.key(of: "host")) opens a room"
            case .home: "leave the call first: \(keys.key(of: "quit")), then l"
            case .push:
                "push to talk is off; audio.talk = push in the settings (\(keys.key(of: "settings"))) turns it on"
            case .asked: "nobody rings or knocks"
            }
        }
    }

    /// Its name in `keys.conf`.
    package let action: String
    package internal(set) var keys: [Key]
    package let section: Section
    let place: Place
    /// What it does, for help and README.
    package let summary: String
    /// The key line on which it stands, 1 or 2; `nil`: only in the help.
    let line: Int?
    /// What pressing the key will do now, in a word or two.
    let label: @Sendable (ConsoleModel) -> String
    /// Why it cannot be done now.
    let reason: @Sendable (ConsoleModel) -> String?
    let run: @Sendable (inout ConsoleModel, Key) -> Void
    /// How its keys are written together, where they are many: `1-9`.
    let keysText: String?

    init(
        _ action: String, _ keys: [Key], _ section: Section, in place: Place = .everywhere, _ summary: String,
        line: Int? = nil, keysText: String? = nil, label: (@Sendable (ConsoleModel) -> String)? = nil,
        reason: @escaping @Sendable (ConsoleModel) -> String? = { _ in nil },
        run: @escaping @Sendable (inout ConsoleModel, Key) -> Void
    ) {
        self.action = action
        self.keys = keys
        self.section = section
        self.place = place
        self.summary = summary
        self.line = line
        self.label = label ?? { _ in action }
        self.reason = reason
        self.run = run
        self.keysText = keysText
    }

    func isOffered(in model: ConsoleModel) -> Bool {
        switch place {
        case .everywhere: true
        case .call: model.call != nil
        case .home: model.call == nil
        case .push: model.call != nil && model.state.audio.isTalking != nil
        case .asked: model.asking != nil
        }
    }

    /// Whether its name says all, so that it can be typed: several keys of one action each do another thing.
    var isTyped: Bool {
        keysText == nil && action != "command"
    }

    /// The keys as the help shows them; what has none can be typed.
    package var keysShown: String {
        keys.isEmpty ? ":\(action)" : keysText ?? keys.map(\.description).joined(separator: " ")
    }

    func name(of key: Key) -> String {
        "\(key) \(action)"
    }
}
