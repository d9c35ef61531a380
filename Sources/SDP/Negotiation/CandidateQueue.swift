internal import Primitives

/// The peer's candidates: those that came before their description wait, and each is handed out once.
struct CandidateQueue: Sendable {
    private struct Waiting {
        var candidate: SignaledCandidate
        var parsed: CandidateAttribute?
    }

    private let limit: Int
    private var waiting: [Waiting] = []
    private var ufrag: String?
    private var mids: Set<MID> = []
    private var known: Set<CandidateAttribute> = []
    private var isEnded = false
    private(set) var ignoredCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes one from the signalling; `parsed` is `nil` for the end of candidates.
    mutating func receive(_ candidate: SignaledCandidate, parsed: CandidateAttribute?) -> [NegotiationAction] {
        let generation = candidate.ufrag ?? parsed?.ufrag
        guard let ufrag, generation == nil || generation == ufrag else {
            guard waiting.count < limit else {
                ignoredCount += 1
                return []
            }
            waiting.append(Waiting(candidate: candidate, parsed: parsed))
            return []
        }
        return accept(candidate, parsed: parsed)
    }

    /// A description of the peer is applied: its own candidates, then those that waited for it.
    mutating func apply(_ transport: RemoteTransport, mids: Set<MID>) -> [NegotiationAction] {
        if transport.credentials.ufrag != ufrag {
            known = []
            isEnded = false
        }
        ufrag = transport.credentials.ufrag
        self.mids = mids
        var actions = transport.candidates.flatMap { add($0) }
        // Those of another generation were for an offer that came to nothing: its maker says them again.
        let due = waiting.filter { ($0.candidate.ufrag ?? $0.parsed?.ufrag ?? ufrag) == ufrag }
        ignoredCount += waiting.count - due.count
        waiting = []
        for item in due { actions += accept(item.candidate, parsed: item.parsed) }
        if transport.hasAllCandidates { actions += end() }
        return actions
    }

    private mutating func accept(_ candidate: SignaledCandidate, parsed: CandidateAttribute?) -> [NegotiationAction] {
        if let mid = candidate.mid, !mids.isEmpty, !mids.contains(mid) {
            ignoredCount += 1
            return []
        }
        guard let parsed else { return end() }
        return add(parsed)
    }

    private mutating func add(_ candidate: CandidateAttribute) -> [NegotiationAction] {
        let isUsable = candidate.component == 1 && candidate.transport == .udp && candidate.port != 0
        guard isUsable, known.count < limit, known.insert(candidate).inserted else {
            ignoredCount += 1
            return []
        }
        return [.addCandidate(candidate)]
    }

    private mutating func end() -> [NegotiationAction] {
        guard !isEnded else { return [] }
        isEnded = true
        return [.endOfCandidates]
    }
}
