import ControlProtocol

/// One verb of the line mode and of the console's command line: what it is called, what follows it, which method it is.
struct Verb: Sendable {
    /// What stands behind a verb; it may be completed.
    enum Operand: String, Sendable {
        case none = ""
        /// Left out it is `on`: no verb toggles unless it is told to.
        case toggle = "[on|off|toggle]"
        case route = "speaker|receiver|toggle"
        case person = "NAME"
        case someone = "[NAME]"
        case knocker = "WHO"
        case names = "NAME[,NAME]"
        case room = "ROOM"
        case newRoom = "[ROOM]"
        case what = "WHAT"
        case text = "TEXT"
        case source = "SOURCE"
        case invite = "INVITE"

        /// Whether the verb is nothing without it.
        var isNeeded: Bool { self != .none && !rawValue.hasPrefix("[") }

        /// The words that it can be; `nil`: any.
        var words: [String]? {
            switch self {
            case .toggle: ["on", "off", "toggle"]
            case .route: ["speaker", "receiver", "toggle"]
            default: nil
            }
        }
    }

    let name: String
    let operand: Operand
    let summary: String
    private let method: String
    private let params: @Sendable (String) -> [String: JSONValue]

    init(
        _ name: String, _ method: String, _ summary: String, takes operand: Operand = .none,
        _ params: @escaping @Sendable (String) -> [String: JSONValue] = { _ in [:] }
    ) {
        (self.name, self.operand, self.method) = (name, operand, method)
        (self.summary, self.params) = (summary, params)
    }

    /// The request that the verb stands for, with `rest` behind it.
    func request(_ rest: String) -> LineVerb {
        if let words = operand.words, !rest.isEmpty, !words.contains(rest) {
            let choices = words.dropLast().joined(separator: ", ") + " or " + words.suffix(1).joined()
            return .misused("\(name) takes \(choices), not \(rest.quoted)")
        }
        if operand == .none, !rest.isEmpty { return .misused("nothing stands behind \(name)") }
        if operand.isNeeded, rest.isEmpty { return .misused("\(name): \(operand.rawValue) is missing") }
        return .request(method, params(rest))
    }

    static func named(_ name: String) -> Verb? {
        all.first { $0.name == name }
    }

    /// Every verb, in the order of the help.
    static let all = [
        Verb("mute", "audio.mute", "the microphone sends nothing", takes: .toggle) { wish($0) },
        Verb("unmute", "audio.mute", "the microphone sends again") { _ in ["on": .bool(false)] },
        Verb("talk", "audio.talk", "talk where the microphone is pushed to talk, or talk no more", takes: .toggle) {
            wish($0)
        },
        Verb("hold", "call.hold", "hold the call: both directions stop", takes: .toggle) { wish($0) },
        Verb("resume", "call.hold", "go on with the call that is held") { _ in ["on": .bool(false)] },
        Verb("record", "call.record", "record the call in a file, or record no more", takes: .toggle) { wish($0) },
        Verb("deafen", "audio.deafen", "hear nobody, or everybody again", takes: .toggle) { wish($0) },
        Verb("show", "video.select", "choose the picture that the others see once video is on", takes: .source) {
            optional("source", $0)
        },
        Verb("video", "video.mute", "show the others your picture, or show it no more", takes: .toggle) {
            wish($0, on: false)
        },
        Verb(
            "preview", "video.preview", "open your picture, to be seen here alone, or end that",
            takes: .toggle
        ) { wish($0) },
        Verb("leave", "call.leave", "leave the call; a room that is hosted here stays open") { _ in
            ["keepRoom": .bool(true)]
        },
        Verb("close", "room.close", "close the room that is hosted here, for everyone"),
        Verb("answer", "call.answer", "answer who rings"),
        Verb("reject", "call.reject", "reject who rings"),
        Verb("chat", "chat.send", "write to everybody in the call", takes: .text) { ["text": .string($0)] },
        Verb("note", "call.note", "mark this moment in the call's figures", takes: .text) { ["text": .string($0)] },
        Verb("stats", "stats.text", "the figures of the call, or of one person in it", takes: .someone) {
            optional("participant", $0)
        },
        Verb("join", "call.join", "join a room by a link or its saved name", takes: .what) {
            ["what": .string($0), "muted": .bool(false)]
        },
        Verb("host", "room.host", "open a room here and join it", takes: .newRoom) { optional("room", $0) },
        Verb("wait", "room.wait", "be reachable in a room without joining it", takes: .room) { ["room": .string($0)] },
        Verb("ring", "room.ring", "ring people who wait in the room", takes: .names) { rest in
            ["names": .array(rest.split(separator: ",").map { .string(String($0).trimmed) })]
        },
        Verb("silence", "participant.silence", "silence somebody, in my ears only", takes: .person) {
            ["participant": .string($0), "on": .bool(true)]
        },
        Verb("unsilence", "participant.silence", "hear somebody again who is silenced", takes: .person) {
            ["participant": .string($0), "on": .bool(false)]
        },
        Verb("route", "audio.route", "play by the loudspeaker or the private receiver", takes: .route) {
            ["route": .string($0)]
        },
        Verb(
            "prioritize", "participant.prioritize",
            "put somebody's picture first where the network cannot carry all", takes: .person
        ) { ["participant": .string($0), "on": .bool(true)] },
        Verb("unprioritize", "participant.prioritize", "put somebody's picture first no more", takes: .person) {
            ["participant": .string($0), "on": .bool(false)]
        },
        Verb("devices", "audio.devices", "the microphones and speakers there are"),
        Verb("invite", "room.invite", "make an invite to the room that is hosted here"),
        Verb("revoke", "room.revoke", "withdraw an invite by its number", takes: .invite) {
            ["invite": Int($0).map { .integer($0) } ?? .string($0)]
        },
        Verb("admit", "room.admit", "let in who knocks", takes: .knocker) { ["participant": .string($0)] },
        Verb("decline", "room.decline", "turn away who knocks", takes: .knocker) { ["participant": .string($0)] },
        Verb("kick", "room.kick", "host: put somebody out of the room", takes: .person) {
            ["participant": .string($0)]
        },
        Verb("renew", "room.renew", "ask for more time; as a host: give it to somebody", takes: .someone) {
            optional("participant", $0)
        },
    ]

    /// `on`: what the method takes where the verb says on.
    private static func wish(_ word: String, on: Bool = true) -> [String: JSONValue] {
        ["on": word == "toggle" ? .string(word) : .bool((word != "off") == on)]
    }

    private static func optional(_ name: String, _ rest: String) -> [String: JSONValue] {
        rest.isEmpty ? [:] : [name: .string(rest)]
    }
}

/// The verbs as the documents tell of them.
package enum VerbDocument {
    /// What is typed, and what it does.
    package static let rows: [(synopsis: String, summary: String)] =
        Verb.all.map { ("\($0.name) \($0.operand.rawValue)".trimmed, $0.summary) } + LineVerb.own
        + [("METHOD KEY=VALUE", "call a method of the socket")]
}
