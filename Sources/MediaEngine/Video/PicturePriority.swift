package import Primitives

/// One person's picture before everybody else's (A77): while theirs is less than is wished, the others' are asked for small,
/// and where that does not help, not at all. Once theirs is whole the others come back step by step, each time later that
/// this took theirs away again.
package struct PicturePriority: Hashable, Sendable {
    /// What the others give up.
    package enum Concession: Int, Hashable, Sendable {
        case none
        /// Their high layer.
        case high
        case everything
    }

    /// So long a step is given to show in what arrives.
    private static let settling = Duration.seconds(4)
    private static let leastPatience = Duration.seconds(15)
    private static let mostPatience = Duration.seconds(240)

    package private(set) var concession = Concession.none
    private var isLimited = false
    /// Since when it is as it is: the last step, and the last change of `isLimited`.
    private var since = MonoTime.zero
    /// For so long theirs has to be whole before the others get more.
    private var patience = PicturePriority.leastPatience
    /// Whether the last step was one back.
    private var wentBack = false

    package init() {}

    /// Takes whether the picture that counts is less than is wished. Returns whether the others' are to be asked for anew.
    package mutating func update(isLimited: Bool, at now: MonoTime) -> Bool {
        if isLimited != self.isLimited {
            self.isLimited = isLimited
            if isLimited, wentBack { patience = min(patience * 2, Self.mostPatience) }
            if !isLimited { since = now }
        }
        guard let next, now >= (deadline ?? now) else { return false }
        wentBack = next.rawValue < concession.rawValue
        (concession, since) = (next, now)
        return true
    }

    /// When `update` is to be called again at the latest; `nil`: nothing changes by itself.
    package var deadline: MonoTime? {
        guard next != nil else { return nil }
        guard isLimited else { return since + patience }
        return concession == .none || wentBack ? since : since + Self.settling
    }

    private var next: Concession? {
        Concession(rawValue: concession.rawValue + (isLimited ? 1 : -1))
    }
}
