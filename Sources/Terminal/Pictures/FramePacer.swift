package import Primitives

/// Decides when the next frame of pictures goes to the terminal, and how large it may be.
///
/// Behind each frame the terminal is asked for its state (`CSI 5 n`); its answer means that the frame was drawn, and only
/// then comes the next. So no more than one frame is ever on the way, and a key's answer waits behind no more than that.
/// How long the last frames took sets how large the next may be. A terminal that never answers gets small frames, seldom.
///
/// Pictures come at a rhythm of their own, so a frame comes a little early for a picture that has just come, and a little
/// late with one that has waited, since a newer one may be near: what is drawn is new.
package struct FramePacer: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Nothing before `deadline`.
        case wait
        /// Ask only: what an answer takes without a frame in front of it.
        case ask
        /// Draw at most so many bytes; `asks`: and ask behind them.
        case draw(limit: Int, asks: Bool)
    }

    /// The most frames a second.
    package static let frameRate = 15
    /// The shortest time from one frame to the next.
    package static let interval = Duration.nanoseconds(1_000_000_000 / Int64(frameRate))
    /// How early a frame may come, and how late it comes with a picture that has waited.
    static let earliness = interval / 4
    static let lateness = interval / 8
    /// What a frame should take on the line: its share of the 150 ms within which keys are answered.
    static let lineTime = Duration.milliseconds(80)
    static let limits = 1024...65536
    static let firstLimit = 4096
    /// How often the round trip is measured anew.
    static let askInterval = Duration.seconds(10)
    /// How long an answer is waited for: the first one, and later ones.
    static let firstPatience = Duration.seconds(1)
    static let patience = Duration.seconds(5)
    /// Frames for a terminal that does not answer.
    static let silentInterval = Duration.seconds(1)
    static let silentLimit = 2048

    private struct Question: Hashable {
        var time: MonoTime
        /// Bytes of the frame in front of it.
        var count: Int
    }

    /// Bytes a second that are never exceeded; `nil`: the terminal's answers alone decide.
    private let rate: Int?
    private var question: Question?
    private var hasAnswered = false
    /// Whether an answer is overdue.
    package private(set) var isSilent = false
    private var notBefore = MonoTime.zero
    private var askedAt: MonoTime?
    /// What an answer takes with next to nothing in front of it.
    package private(set) var roundTrip: Duration?
    /// Bytes that the next frame may have.
    package private(set) var limit = firstLimit

    /// - Parameter rate: bytes a second that are never exceeded, for a multiplexer, which answers before it has drawn.
    package init(rate: Int? = nil) {
        self.rate = rate
        if let rate { limit = min(limit, Self.limit(rate)) }
    }

    /// What to do now, provided that there is something to draw. `isNew`: it has just come.
    package func step(at now: MonoTime, isNew: Bool = false) -> Step {
        guard now >= (isNew && rate == nil && !isSilent ? notBefore - Self.earliness : due) else { return .wait }
        if isSilent {
            let asks = question.map { now - $0.time >= Self.patience } ?? true
            return .draw(limit: Self.silentLimit, asks: asks)
        }
        guard question == nil else { return .wait }
        if askedAt.map({ now - $0 >= Self.askInterval }) ?? true { return .ask }
        return .draw(limit: limit, asks: true)
    }

    /// When `step` may change by itself; `nil`: it waits for an answer or not at all.
    package var deadline: MonoTime? {
        if let question, !isSilent { return question.time + (hasAnswered ? Self.patience : Self.firstPatience) }
        return due
    }

    /// When what has waited is drawn.
    private var due: MonoTime { isSilent ? notBefore : notBefore + Self.lateness }

    /// The terminal was asked, with nothing in front.
    package mutating func asked(at now: MonoTime) {
        question = Question(time: now, count: 0)
        askedAt = now
    }

    /// A frame of `count` bytes was written; `asks`: with the question behind it. `isWhole`: nothing is left of the
    /// pictures; what is, follows as soon as the terminal has answered.
    package mutating func drew(_ count: Int, asks: Bool, isWhole: Bool = true, at now: MonoTime) {
        if asks { question = Question(time: now, count: count) }
        if isSilent {
            notBefore = now + Self.silentInterval
        } else {
            notBefore = isWhole ? max(notBefore, now) + Self.interval : now - Self.lateness
        }
        if let rate { notBefore = max(notBefore, now + .seconds(1) * count / rate) }
    }

    /// The answer came.
    package mutating func answered(at now: MonoTime) {
        defer { (question, hasAnswered, isSilent) = (nil, true, false) }
        // What was overdue measures nothing.
        guard let question, !isSilent else { return }
        let elapsed = now - question.time
        if question.count == 0 {
            roundTrip = elapsed
        } else {
            adapt(to: question.count, in: max(elapsed - (roundTrip ?? .zero), .milliseconds(1)))
            roundTrip = min(roundTrip ?? elapsed, elapsed)
        }
    }

    /// Gives up waiting where it is time.
    package mutating func tick(at now: MonoTime) {
        guard let question, !isSilent, let deadline, now >= deadline else { return }
        isSilent = true
        notBefore = max(notBefore, now)
        self.question = Question(time: now, count: question.count)
    }

    /// `count` bytes took `time` on the line.
    private mutating func adapt(to count: Int, in time: Duration) {
        let fitting = Int(Double(count) * Self.lineTime.milliseconds / time.milliseconds)
        if fitting < limit {
            // A small frame says little about how much more would have fitted.
            if count * 2 >= limit || fitting < count { limit = max((limit + fitting) / 2, Self.limits.lowerBound) }
        } else if count * 2 >= limit {
            limit = min(fitting, limit * 2, Self.limits.upperBound)
        }
        if let rate { limit = min(limit, Self.limit(rate)) }
    }

    private static func limit(_ rate: Int) -> Int {
        max(limits.lowerBound, Int(Double(rate) * lineTime.milliseconds / 1000))
    }
}
