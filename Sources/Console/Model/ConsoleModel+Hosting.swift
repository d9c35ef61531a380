import ControlProtocol
import Primitives

/// Somebody who waits for an answer.
enum Asking {
    /// A call that rings here.
    case ring(CallState)
    /// Somebody who knocks at a room of which we are a host; how many do.
    case knock(KnockState, CallState, count: Int)
}

/// Who may come in, who has to go, who may stay.
extension ConsoleModel {
    /// Who is to be answered first: who rings, then who knocks.
    var asking: Asking? {
        if let ringing = ringingCall { return .ring(ringing) }
        let active = call.map { [$0] } ?? []
        for call in active + calls {
            if let knocks = call.knocks, let first = knocks.first { return .knock(first, call, count: knocks.count) }
        }
        return nil
    }

    /// Answers who rings, lets in who knocks.
    mutating func answer() {
        switch asking {
        case .ring(let call): ask("call.answer", ["call": .string(call.id)], .plain("cannot answer"))
        case .knock(let knock, let call, _):
            ask("room.admit", Self.params(knock.id, call), .plain("cannot admit \(knock.name)"))
        case nil: break
        }
    }

    /// Rejects who rings, declines who knocks.
    mutating func reject() {
        switch asking {
        case .ring(let call): ask("call.reject", ["call": .string(call.id)], .plain("cannot reject"))
        case .knock(let knock, let call, _):
            ask("room.decline", Self.params(knock.id, call), .plain("cannot decline \(knock.name)"))
        case nil: break
        }
    }

    private static func params(_ participant: String, _ call: CallState) -> [String: JSONValue] {
        ["call": .string(call.id), "participant": .string(participant)]
    }

    /// How often the bell sounds at most: again and again while somebody rings, once for each who knocks.
    static let bellPause = Duration.seconds(4)

    mutating func soundBell() {
        guard hasBell, let asking, belledAt.map({ now.mono - $0 >= Self.bellPause }) ?? true else { return }
        switch asking {
        case .ring(let call): belledFor = call.id
        case .knock(let knock, _, _):
            guard belledFor != knock.id else { return }
            belledFor = knock.id
        }
        belledAt = now.mono
        effects.append(.bell)
    }

    /// Seconds that a selected guest is given when asking for more time.
    static let moreSeconds = 3600

    /// A host gives the selected person more time; everybody else asks for it.
    mutating func renew() {
        guard call?.role == .host, let person = selectedPerson else {
            return ask("room.renew", [:], .plain("cannot ask for more time"))
        }
        ask(
            "room.renew", ["participant": .string(person.id), "expires": .integer(Self.moreSeconds)],
            .plain("cannot give \(person.name) more time"))
    }

    /// Does what was asked about and confirmed.
    mutating func confirm(_ question: Question) {
        switch question {
        case .kick(let id, let name):
            ask("room.kick", ["participant": .string(id)], .plain("cannot kick \(name)"))
        case .revoke(let number): revoke(number, removing: false)
        }
    }
}

/// What is asked once more before it is done.
package enum Question: Hashable, Sendable {
    /// Whether a person has to go.
    case kick(id: String, name: String)
    /// Whether an invite is withdrawn.
    case revoke(number: Int)
}
