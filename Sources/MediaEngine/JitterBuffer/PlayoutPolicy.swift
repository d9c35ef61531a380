/// Decides what is played next. It sees numbers only: all times and delays are in samples.
struct PlayoutPolicy: Sendable {
    /// What the decision rests on.
    struct Situation: Sendable {
        /// The oldest stored packet, if any.
        var next: Next?
        /// Samples concealed since the last packet, while it was not known what is missing.
        var drySampleCount = 0
        /// Whether the sender seems to have paused, or has not begun.
        var isPaused = false
        var target = 0
        /// What packets carried lately.
        var packetSampleCount = 960
    }

    /// The oldest stored packet as seen from the playout.
    struct Next: Sendable {
        /// Packets missing before it.
        var missingCount: Int
        /// Media time missing before it; negative where it overlaps what was played.
        var gap: Int
        /// How long it waits already.
        var waited: Int
        /// The playout delay if it were played next.
        var delay: Int
        var sampleCount: Int
        var hasRedundancy: Bool
    }

    enum Operation: Hashable, Sendable {
        /// Decode the next packet.
        case decode
        /// Decode the lost packet before it from its redundancy.
        case recover
        /// Conceal so much that is known to be lost.
        case conceal(Int)
        /// Conceal until more is known.
        case expand
        /// Play the silence between talk spurts, and wait for the delay to reach the target.
        case pause
    }

    /// What to do to the sound to be played, to bring the delay nearer to its target.
    enum Stretch: Hashable, Sendable {
        case none
        case accelerate(limit: Int, minimumCorrelation: Float)
        case preemptiveExpand(limit: Int, minimumCorrelation: Float)
    }

    /// What a packet carries at most.
    private static let longestPacket = AudioFormat.maximumPacketSampleCount
    /// From this excess on (300 ms) old packets are dropped unheard.
    static let hopelessExcess = 300 * SampleTime.perMillisecond
    /// So much excess (60 ms) is left when packets are dropped; stretching does the rest.
    static let toleratedExcess = 60 * SampleTime.perMillisecond
    /// From this excess on (40 ms) the quality of a joint comes second.
    private static let largeExcess = 40 * SampleTime.perMillisecond
    private static let acceptedExcess = 10 * SampleTime.perMillisecond
    private static let acceptedDeficit = 1 * SampleTime.perMillisecond
    /// How far an expansion may lead beyond the target.
    private static let expansionSlack = 5 * SampleTime.perMillisecond
    private static let pullsBetweenStretches = 6
    /// So alike are the periods of a tone, which may be stretched at any time.
    private static let perfectCorrelation: Float = 0.99
    /// A small difference is borne so long (10 s, 0.5 s) where the sound is never quiet.
    private static let longestPatience = 1000
    private static let patienceWithDeficit = 50

    private var pullsSinceStretch = PlayoutPolicy.pullsBetweenStretches

    private var pullsWanting = 0

    init() {}

    /// The operation that yields the next samples.
    func operation(in situation: Situation) -> Operation {
        guard let next = situation.next else { return situation.isPaused ? .pause : .expand }
        if situation.isPaused || isPause(next) {
            let isReady = next.delay >= situation.target || next.waited >= situation.target || next.gap < 0
            return isReady ? .decode : .pause
        }
        guard next.missingCount > 0, next.gap > 0 else { return .decode }
        return operation(beforeLost: next, in: situation)
    }

    /// Whether the media time before a packet was not sent, rather than lost.
    func isPause(_ next: Next) -> Bool {
        next.gap < 0 || next.gap > next.missingCount * Self.longestPacket
    }

    private func operation(beforeLost next: Next, in situation: Situation) -> Operation {
        let remaining = next.gap - situation.drySampleCount
        if next.hasRedundancy, remaining <= next.sampleCount {
            let isWelcome = remaining > 0 || next.delay + next.sampleCount <= situation.target + Self.acceptedExcess
            return isWelcome ? .recover : .decode
        }
        guard remaining > 0 else { return .decode }
        let reserve = next.hasRedundancy ? next.sampleCount : 0
        return .conceal(min(remaining - reserve, situation.packetSampleCount))
    }

    /// How to stretch the sound of this pull when playout has `delay` and should have `target`. A small difference is
    /// mended while the sound `isQuiet`, where a joint matters least, or when it has lasted.
    mutating func stretch(delay: Int, target: Int, isQuiet: Bool) -> Stretch {
        pullsSinceStretch = min(pullsSinceStretch + 1, Self.pullsBetweenStretches)
        let excess = delay - target
        let acceptedExcess = Self.acceptedExcess + target / 4
        guard excess >= acceptedExcess || excess <= -Self.acceptedDeficit else {
            pullsWanting = 0
            return .none
        }
        pullsWanting = min(pullsWanting + 1, Self.longestPatience)
        if excess >= Self.largeExcess {
            return .accelerate(limit: excess, minimumCorrelation: 0.5)
        }
        guard pullsSinceStretch == Self.pullsBetweenStretches else { return .none }
        if excess <= -Self.largeExcess {
            return .preemptiveExpand(limit: -excess + Self.expansionSlack, minimumCorrelation: 0.5)
        }
        let patience = excess > 0 ? Self.longestPatience : Self.patienceWithDeficit
        let correlation: Float = isQuiet ? 0.5 : pullsWanting >= patience ? 0.9 : Self.perfectCorrelation
        return excess > 0
            ? .accelerate(limit: excess, minimumCorrelation: correlation)
            : .preemptiveExpand(limit: -excess + Self.expansionSlack, minimumCorrelation: correlation)
    }

    /// Notes that the sound was stretched.
    mutating func noteStretch() {
        pullsSinceStretch = 0
    }
}
