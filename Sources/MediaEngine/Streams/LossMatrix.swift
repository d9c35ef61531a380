/// Who loses how much of whom: the share of each speaker's packets that each listener lost in the last 10 s.
package struct LossMatrix<Member: Hashable & Sendable>: Sendable {
    private struct Pair: Hashable, Sendable {
        var speaker: Member
        var listener: Member
    }

    /// In the order in which they are shown.
    package let members: [Member]
    private var ratios: [Pair: Double] = [:]

    package init(members: [Member]) {
        self.members = members
    }

    /// What `listener` loses of `speaker`, 0…1; `nil`: not known.
    package subscript(speaker speaker: Member, listener listener: Member) -> Double? {
        get { ratios[Pair(speaker: speaker, listener: listener)] }
        set { ratios[Pair(speaker: speaker, listener: listener)] = newValue }
    }

    /// What the others lose of `speaker`, in order.
    package func heard(from speaker: Member) -> [Double?] {
        members.filter { $0 != speaker }.map { self[speaker: speaker, listener: $0] }
    }

    /// What `listener` loses of the others, in order.
    package func hears(_ listener: Member) -> [Double?] {
        members.filter { $0 != listener }.map { self[speaker: $0, listener: listener] }
    }
}
