import ControlClient
import ControlProtocol
import Primitives

/// `hoot status`.
enum StatusCommand {
    static let command = Command(
        name: "status", operands: "", summary: "say what goes on: the microphone, the call, who is in it",
        options: [Option("json", "the whole state as JSON")],
        run: { invocation in
            guard let connection = try CoreLauncher(directories: .current()).connect() else {
                Output.line(invocation.has("json") ? "{}" : "no core is running")
                return 0
            }
            let result = try connection.call("core.state")
            guard !invocation.has("json"), let state = result["state"] else {
                Output.line((result["state"] ?? result).text)
                return 0
            }
            for line in describe(try state.decoded()) { Output.line(line) }
            return 0
        })

    /// The state in sentences, the microphone first.
    static func describe(_ state: CoreState) -> [String] {
        var lines = [
            "microphone: " + ([microphone(state.audio)] + state.audio.warnings.map(\.words)).joined(separator: ", ")
        ]
        for call in state.calls.values.sorted(by: { $0.id < $1.id }) {
            lines.append("\(call.room) @ \(call.host): \(call.phase.rawValue)" + (call.isHeld ? ", on hold" : ""))
            lines += notices(call)
            let people = call.order.compactMap { call.people[$0] }
            for person in people {
                let isAlone = people.count { $0.name == person.name } == 1
                lines.append(
                    "  \(person.name)" + (isAlone ? "" : ", id \(person.id)")
                        + badges(person).map { ", \($0)" }.joined())
            }
        }
        if state.calls.isEmpty {
            lines.append("no call" + (state.lastEnd.map { "; \($0.room) @ \($0.host) ended: \($0.reason)" } ?? ""))
        }
        lines += (state.missed ?? []).map {
            "\($0.caller) rang from \($0.room), \(Lifetime.words(seconds: (Lifetime.now - $0.rangAt) / 1000)) ago"
        }
        lines += state.waiting.map { "waiting in \($0.key) as \($0.value.name)" }.sorted()
        if let rooms = state.leftOpen {
            lines.append(
                "open here without you: \(rooms.joined(separator: ", ")); hoot join goes back, "
                    + "hoot ctl room.close room=NAME closes")
        }
        if !state.recentRooms.isEmpty {
            lines.append("rooms to go back to: " + state.recentRooms.addresses.joined(separator: ", "))
        }
        lines += state.problems.map { $0.text + ($0.command.map { ": \($0)" } ?? "") }
        return lines
    }

    private static func notices(_ call: CallState) -> [String] {
        var lines = (call.knocks ?? []).map { "  \($0.name) knocks: hoot admit, hoot decline" }
        if call.phase == .ringing { lines.append("  \(call.caller ?? "somebody") rings: hoot answer, hoot reject") }
        if let recording = call.recording { lines.append("  recorded here in \(recording.path)") }
        let names = call.waitingNames
        if let first = names.first {
            // Whoever waits chose that name, and this line may be copied into a shell.
            let word = first.allSatisfy { $0.isLetter || $0.isNumber } ? first : first.shellQuoted
            lines.append("  wait here to be rung: \(names.joined(separator: ", ")); hoot ring \(word)")
        }
        if call.role == .listener { lines.append("  you listen only") }
        if let expiresAt = call.expiresAt {
            lines.append("  your time here: \(Lifetime.words(seconds: (expiresAt - Lifetime.now) / 1000)) left")
        }
        switch call.outage {
        case .interrupted, .lost: lines.append("  the room's server is not heard; the call goes on")
        case .gaveUp: lines.append("  the room's server is given up; the call goes on with who is connected")
        case nil: break
        }
        return lines
    }

    private static func microphone(_ audio: AudioState) -> String {
        if audio.waitsForPush { return "push to talk" }
        return switch audio.microphone {
        case .live: "live"
        case .muted: "muted"
        case .closed: "closed"
        case .noMicrophone: "none"
        case .onHold: "on hold"
        case .idle: "not in a call"
        }
    }

    private static func badges(_ person: Participant) -> [String] {
        var badges: [String] = []
        if person.link != .connected { badges.append(person.link.rawValue) }
        if person.isRecording == true { badges.append("records the call") }
        if person.isListener == true {
            badges.append("listens only")
        } else if person.isMuted {
            badges.append("muted by \(person.name)")
        }
        if person.wantsTime == true { badges.append("asks for more time: hoot renew") }
        if person.isHolding { badges.append("holds") }
        if person.isSilenced { badges.append("silenced here") }
        if person.isVerified { badges.append("verified") }
        return badges
    }
}
