/// Who is silenced in this user's ears: everybody, or one by one (A22, A23).
struct SilencePolicy: Hashable {
    /// Everybody is silenced; single ones cannot be heard until this is lifted (A22.2).
    private(set) var silencesEveryone = false
    /// People who join later begin silenced; who is there already is not touched (A23.1).
    var silencesJoiners = false
    private var individuals: Set<String> = []

    init(silencesJoiners: Bool = false) {
        self.silencesJoiners = silencesJoiners
    }

    func isSilenced(_ person: String) -> Bool {
        silencesEveryone || individuals.contains(person)
    }

    /// Silences one person, or lets them be heard again.
    mutating func setSilenced(_ isSilenced: Bool, _ person: String) throws(CallError) {
        guard !silencesEveryone || isSilenced else {
            throw CallError(.refused, "everybody is silenced; lift that first: hoot ctl participants.silence on=off")
        }
        if isSilenced { individuals.insert(person) } else { individuals.remove(person) }
    }

    mutating func setEveryone(_ isSilenced: Bool) {
        silencesEveryone = isSilenced
    }

    mutating func joined(_ person: String) {
        if silencesJoiners { individuals.insert(person) }
    }

    mutating func left(_ person: String) {
        individuals.remove(person)
    }
}
