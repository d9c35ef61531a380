import Primitives

/// The life of one call: wishes come in as actions, which are fulfilled or fail once each; what has to be done comes out
/// as effects. Cleaning up happens once, whatever failed before (L50–L54).
struct CallLifecycle {
    /// What can be wished of a call.
    enum Action: Hashable {
        /// Go in: fulfilled when the room has let us in.
        case start
        /// Take a call that rings: fulfilled when somebody's media have come up (L44–L47).
        case answer
        /// Leave, for a reason that the user is told.
        case end(String = CallLifecycle.left)
        case setHeld(Bool)
    }

    /// Why a call ends that was left by a key or a verb.
    static let left = "you left"
    /// Why a call ended that was rejected here.
    static let rejected = "you rejected it"

    enum Phase: Hashable {
        case ringing
        case dialing
        case connecting
        /// In the room's lobby.
        case knocking
        case connected
        case reconnecting
        case ended(String)
    }

    /// Names one wish, so that its outcome finds its way back.
    typealias Token = Int

    enum Effect: Hashable {
        /// Connect to the room.
        case connect
        /// Stop and resume both directions; peers are told.
        case hold(Bool)
        /// Leave the room: first the connections, then the media (L50).
        case leave
        case stopMedia
        case fulfil(Token)
        case fail(Token, CallError)
        /// The last effect of a call.
        case ended(String)
    }

    private(set) var phase: Phase
    private(set) var isHeld = false
    /// Whether the room has answered at some time; until then whoever began the call is told how it failed.
    private(set) var hasBegun = false
    private var pending: [(token: Token, action: Action)] = []
    /// When the pending start or answer is given up.
    private(set) var deadline: MonoTime?
    /// How long a start or an answer may take.
    let patience: Duration

    /// A call that rings, or one that is about to be started.
    init(isRinging: Bool, patience: Duration = .seconds(45)) {
        phase = isRinging ? .ringing : .dialing
        self.patience = patience
    }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Takes a wish.
    mutating func request(_ action: Action, token: Token, at now: MonoTime) -> [Effect] {
        if case .ended(let reason) = phase {
            // Ending an ended call is what was wished for.
            return [action.isEnd ? .fulfil(token) : .fail(token, CallError(.ended, "the call has ended: \(reason)"))]
        }
        switch action {
        case .start: return begin(.dialing, action, token, at: now)
        case .answer: return begin(.ringing, action, token, at: now)
        case .setHeld(let isHeld): return setHeld(isHeld, token)
        case .end(let reason): return [.fulfil(token)] + end(reason)
        }
    }

    /// The room has let us in.
    mutating func signalingConnected() -> [Effect] {
        guard !isEnded else { return [] }
        (phase, hasBegun) = (.connected, true)
        return settle { $0 == .start }
    }

    /// A host has been asked whether to let us in: what was wished for is under way, and the room bounds the answer.
    mutating func knocking() -> [Effect] {
        guard !isEnded else { return [] }
        hasBegun = true
        if phase != .reconnecting { phase = .knocking }
        return settle { $0 == .start }
    }

    /// Somebody's media have come up.
    mutating func mediaConnected() -> [Effect] {
        guard !isEnded else { return [] }
        return settle { $0 == .answer }
    }

    /// The way to the room's server is lost; media go on.
    mutating func signalingLost() -> [Effect] {
        // Before the room has let us in, the pending start goes on trying (L46).
        guard case .connected = phase else { return [] }
        phase = .reconnecting
        return []
    }

    /// The room is over for us, or never was.
    mutating func closed(_ reason: String) -> [Effect] {
        end(reason)
    }

    /// The time of a start or an answer is over.
    mutating func tick(at now: MonoTime) -> [Effect] {
        guard let deadline, now >= deadline else { return [] }
        self.deadline = nil
        return end("nobody answered within \(Int(patience.seconds)) s", failingWith: .timeout)
    }

    private mutating func begin(_ from: Phase, _ action: Action, _ token: Token, at now: MonoTime) -> [Effect] {
        guard phase == from else {
            let error = CallError(
                .wrongPhase, action == .answer ? "the call does not ring" : "the call has begun already")
            return [.fail(token, error)]
        }
        phase = .connecting
        pending.append((token, action))
        deadline = now + patience
        return [.connect]
    }

    private mutating func setHeld(_ held: Bool, _ token: Token) -> [Effect] {
        guard phase != .ringing else {
            return [.fail(token, CallError(.wrongPhase, "the call rings; answer it first"))]
        }
        // Twice hold is one hold.
        guard held != isHeld else { return [.fulfil(token)] }
        isHeld = held
        return [.hold(held), .fulfil(token)]
    }

    private mutating func settle(_ isSettled: (Action) -> Bool) -> [Effect] {
        let settled = pending.filter { isSettled($0.action) }
        pending.removeAll { isSettled($0.action) }
        if pending.isEmpty { deadline = nil }
        return settled.map { .fulfil($0.token) }
    }

    private mutating func end(_ reason: String, failingWith code: CallError.Code = .ended) -> [Effect] {
        guard !isEnded else { return [] }
        phase = .ended(reason)
        deadline = nil
        let failures = pending.map { Effect.fail($0.token, CallError(code, reason)) }
        pending = []
        return [.leave, .stopMedia] + failures + [.ended(reason)]
    }
}

extension CallLifecycle.Action {
    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
    }
}
