import Primitives

/// What the network does to what a simulated guest sends.
struct GuestLink: Hashable {
    /// In words, for the report.
    var name: String
    var conditions: LossyLink.Conditions

    /// The share of packets that is lost in the long run, in per cent.
    var lossPercent: Double {
        switch conditions.loss {
        case .none: 0
        case .random(let rate), .bursty(let rate, _): rate * 100
        }
    }

    /// One direction of the link. The seed is one whose losses are close to their long-run share from the start, so that
    /// some seconds are enough to measure it.
    func makeLink() -> LossyLink {
        LossyLink(conditions, seed: Self.seed)
    }

    private static let seed: UInt64 = 10

    /// The links of the demonstration, in turn: a clean one, one with jitter, one with bursts of loss.
    static func link(of guest: Int) -> GuestLink {
        var conditions = LossyLink.Conditions()
        switch guest % 3 {
        case 0:
            conditions.delay = .milliseconds(5)
            return GuestLink(name: "clean", conditions: conditions)
        case 1:
            conditions.delay = .milliseconds(40)
            conditions.jitter = .milliseconds(10)
            return GuestLink(name: "jitter", conditions: conditions)
        default:
            conditions.delay = .milliseconds(25)
            conditions.loss = .bursty(rate: 0.08, burst: 2)
            return GuestLink(name: "8 % bursty loss", conditions: conditions)
        }
    }
}
