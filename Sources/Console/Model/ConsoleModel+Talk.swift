import ControlProtocol
import Primitives
import Terminal

/// Pushing to talk: while a key is held where the terminal tells when it is let go, else from one press to the next.
extension ConsoleModel {
    /// How often a key that repeats asks anew, and how long each asking lasts: when the line to the terminal is dead,
    /// nothing repeats, and the talk ends.
    static let talkRenewal = Duration.milliseconds(500)
    static let talkLease = 3
    /// Presses that follow each other faster than a finger are the keyboard's repeats.
    static let fastestPresses = Duration.milliseconds(150)

    /// The key to talk by.
    var talkKey: Key? {
        keys.bindings.first { $0.action == "talk" }?.keys.first
    }

    /// Whether the terminal is wanted to tell when keys are let go.
    package var wantsReleases: Bool {
        link == .attached && state.audio.isTalking != nil
    }

    /// Of enter, tab and backspace it is never told, so that a shell stays usable whatever a program leaves behind.
    func tellsRelease(of key: Key?) -> Bool {
        switch key?.code {
        case nil, .enter, .tab, .backspace: false
        default: reportsReleases
        }
    }

    /// Why pushing opens nothing.
    var whyNoTalk: String? {
        switch state.audio.microphone {
        case .live: nil
        case .muted: state.audio.isMuted ? "you are muted; \(keys.key(of: "mute")) unmutes" : nil
        case .closed: "the microphone is closed; \(keys.key(of: "close")) opens it"
        case .noMicrophone: "there is no microphone"
        case .onHold: "the call is on hold; \(keys.key(of: "hold")) resumes it"
        case .idle: "there is no call"
        }
    }

    /// The key was pressed, and nothing stands against it.
    mutating func pushToTalk(_ key: Key) {
        defer { talkKeyAt = now.mono }
        if tellsRelease(of: key) {
            (heldTalkKey, isPushing) = (key, true)
            return askToTalk([:])
        }
        guard now.mono - talkKeyAt >= Self.fastestPresses else {
            if !toldOfRepeats {
                say("this terminal does not tell when a key is let go: \(key) talks, and again ends it", .warning)
            }
            toldOfRepeats = true
            return
        }
        ask("audio.talk", ["on": .string("toggle")], .talk)
    }

    /// The key that is held comes again.
    mutating func repeatTalk() {
        guard isPushing, now.mono - talkAskedAt >= Self.talkRenewal else { return }
        askToTalk(["seconds": .integer(Self.talkLease)])
    }

    private mutating func askToTalk(_ more: [String: JSONValue]) {
        talkAskedAt = now.mono
        ask("audio.talk", more.merging(["on": .bool(true)]) { $1 }, .talk)
    }

    /// A key was let go.
    mutating func release(_ key: Key) {
        if heldTalkKey?.isLetGo(with: key) == true { endHeldTalk() }
    }

    /// The key is held no more, or whether it is cannot be known.
    mutating func endHeldTalk() {
        guard heldTalkKey != nil else { return }
        if isPushing { ask("audio.talk", ["on": .bool(false)], .talk) }
        (heldTalkKey, isPushing) = (nil, false)
    }

    /// What is muted, closed or on hold is not opened again by a key that is still held.
    mutating func followTalk() {
        if state.audio.isTalking == nil || whyNoTalk != nil { isPushing = false }
    }
}

extension Key {
    /// Whether it is let go when `key` is. Modifiers may have been let go before, and which key a sign other than a
    /// letter or a digit stands on is not told: then any key's release is.
    fileprivate func isLetGo(with key: Key) -> Bool {
        guard case .character(let own) = code, case .character(let other) = key.code else { return code == key.code }
        guard own.isLetter || own.isNumber || own == " " else { return true }
        return own.lowercased() == other.lowercased()
    }
}
