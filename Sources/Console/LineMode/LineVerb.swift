import ControlProtocol

/// One typed line of the line mode: the same verbs as the commands, or a method with its parameters.
enum LineVerb: Hashable {
    case nothing
    case quit
    case help
    case status
    case request(String, [String: JSONValue])
    case unknown(String)

    static let text = """
        mute, unmute, hold, resume, deafen, leave, answer, reject
        show SOURCE, then video on; video off
        chat TEXT
        join WHAT, host [ROOM], wait ROOM, ring NAME[,NAME], silence NAME, route [speaker|receiver]
        admit NAME, decline NAME, kick NAME, renew [NAME]
        status, help, quit; or any method: METHOD KEY=VALUE
        """

    init(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let verb = words.first else {
            self = .nothing
            return
        }
        let rest = words.count > 1 ? words[1] : ""
        switch verb {
        case "quit", "exit", "q": self = .quit
        case "help", "?": self = .help
        case "status": self = .status
        default: self = Self.request(verb, rest) ?? Self.method(verb, rest) ?? .unknown(verb)
        }
    }

    private static func request(_ verb: String, _ rest: String) -> LineVerb? {
        switch verb {
        case "mute", "unmute": .request("audio.mute", ["on": .bool(verb == "mute")])
        case "hold", "resume": .request("call.hold", ["on": .bool(verb == "hold")])
        case "deafen": .request("audio.deafen", rest.isEmpty ? [:] : ["on": .string(rest)])
        case "show": .request("video.select", rest.isEmpty ? [:] : ["source": .string(rest)])
        case "video": rest == "on" || rest == "off" ? .request("video.mute", ["on": .bool(rest == "off")]) : nil
        case "leave": .request("call.leave", [:])
        case "answer": .request("call.answer", [:])
        case "reject": .request("call.reject", [:])
        case "chat": .request("chat.send", ["text": .string(rest)])
        case "join": .request("call.join", ["what": .string(rest), "muted": .bool(false)])
        case "host": .request("room.host", rest.isEmpty ? [:] : ["room": .string(rest)])
        case "wait": .request("room.wait", ["room": .string(rest)])
        case "ring": .request("room.ring", ["names": .array(rest.split(separator: ",").map { .string(String($0)) })])
        case "admit", "decline", "kick": .request("room.\(verb)", ["participant": .string(rest)])
        case "renew": .request("room.renew", rest.isEmpty ? [:] : ["participant": .string(rest)])
        case "silence": .request("participant.silence", ["participant": .string(rest)])
        case "route": .request("audio.route", rest.isEmpty ? [:] : ["route": .string(rest)])
        default: nil
        }
    }

    private static func method(_ name: String, _ rest: String) -> LineVerb? {
        guard let method = Method.named(name) else { return nil }
        var params: [String: JSONValue] = [:]
        for word in rest.split(separator: " ") {
            guard let equals = word.firstIndex(of: "=") else { return .unknown(String(word)) }
            let key = String(word[..<equals])
            let value = String(word[word.index(after: equals)...])
            params[key] = method.parameters.first { $0.name == key }?.parse(value) ?? .string(value)
        }
        return .request(name, params)
    }
}
