/// Whose link is bad, as far as the loss matrix can tell.
///
/// A share of 2 % and more is *bad*, less than 1 % is *clean*; what lies between agrees with either, since the same loss
/// is never measured twice alike. Everyone means at least two who know. A verdict must explain every bad share, or it is
/// `unclear`.
package enum LossVerdict<Member: Hashable & Sendable>: Hashable, Sendable {
    /// No known share is bad.
    case clean
    /// All who hear this member lose it: its way up. With the mean of their shares.
    case uplink(Member, loss: Double)
    /// This member loses all whom it hears: its way down. With the mean of its shares.
    case downlink(Member, loss: Double)
    /// Only these two lose each other, or one of them the other: the path between them. With the worse share.
    case path(Member, Member, loss: Double)
    /// Something is bad, and no single link explains it.
    case unclear

    /// The verdict on `matrix`.
    package init(_ matrix: LossMatrix<Member>) {
        let bad = LossVerdictRule.badPairs(of: matrix)
        guard let worst = bad.max(by: { $0.loss < $1.loss }) else {
            self = .clean
            return
        }
        if let loss = LossVerdictRule.sharedLoss(matrix.heard(from: worst.speaker)),
            bad.allSatisfy({ $0.speaker == worst.speaker })
        {
            self = .uplink(worst.speaker, loss: loss)
        } else if let loss = LossVerdictRule.sharedLoss(matrix.hears(worst.listener)),
            bad.allSatisfy({ $0.listener == worst.listener })
        {
            self = .downlink(worst.listener, loss: loss)
        } else if LossVerdictRule.isPath(worst, bad: bad, in: matrix) {
            self = .path(worst.speaker, worst.listener, loss: worst.loss)
        } else {
            self = .unclear
        }
    }

    /// The verdict in words. `name` gives a member's name; `me` is who reads it.
    package func sentence(me: Member, name: (Member) -> String) -> String {
        func owner(_ member: Member) -> String {
            member == me ? "your" : name(member) + "'s"
        }
        switch self {
        case .clean: return "no one's link loses packets"
        case .uplink(let member, let loss): return "\(owner(member)) uplink loses \(Self.percent(loss)): all hear it"
        case .downlink(let member, let loss):
            let who = member == me ? "you lose" : name(member) + " loses"
            return "\(owner(member)) downlink loses \(Self.percent(loss)): \(who) everyone"
        case .path(let one, let other, let loss):
            let (first, second) = other == me ? (other, one) : (one, other)
            let ends = (first == me ? "you" : name(first)) + " and " + name(second)
            return "the path between \(ends) loses \(Self.percent(loss))"
        case .unclear: return "unclear whose link loses packets"
        }
    }

    private static func percent(_ ratio: Double) -> String {
        "\(max(1, Int((ratio * 100).rounded())))%"
    }
}

/// How the verdict is found.
private enum LossVerdictRule {
    struct Pair<Member: Hashable & Sendable> {
        var speaker: Member
        var listener: Member
        var loss: Double
    }

    static let badFrom = 0.02
    static let cleanBelow = 0.01

    static func badPairs<Member>(of matrix: LossMatrix<Member>) -> [Pair<Member>] {
        matrix.members.flatMap { speaker in
            matrix.members.compactMap { listener in
                guard listener != speaker, let loss = matrix[speaker: speaker, listener: listener], loss >= badFrom
                else {
                    return nil
                }
                return Pair(speaker: speaker, listener: listener, loss: loss)
            }
        }
    }

    /// The mean of the known `shares` if there are two at least and none of them is clean.
    static func sharedLoss(_ shares: [Double?]) -> Double? {
        let known = shares.compactMap { $0 }
        guard known.count >= 2, known.allSatisfy({ $0 >= cleanBelow }) else { return nil }
        return known.reduce(0, +) / Double(known.count)
    }

    /// Whether all bad pairs are of the two of `worst`, and each of them gets on well with someone else, if there is
    /// anyone else.
    static func isPath<Member>(_ worst: Pair<Member>, bad: [Pair<Member>], in matrix: LossMatrix<Member>) -> Bool {
        let ends: Set<Member> = [worst.speaker, worst.listener]
        guard bad.allSatisfy({ ends == [$0.speaker, $0.listener] }) else { return false }
        guard matrix.members.count > 2 else { return true }
        func hasClean(_ shares: [Double?]) -> Bool {
            shares.contains { $0.map { $0 < cleanBelow } ?? false }
        }
        return hasClean(matrix.heard(from: worst.speaker)) && hasClean(matrix.hears(worst.listener))
    }
}
