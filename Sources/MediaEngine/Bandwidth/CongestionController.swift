package import Primitives

/// How much one transport may send: the least of what delay, loss and the peer allow.
///
/// The owner asks for a number for every packet that leaves, hands in what the peer tells, and sends the probes that it is
/// given; `PacedSender` does that. Bitrates are in bits a second on the wire, the headers of all layers included.
package struct CongestionController: Sendable {
    /// What the peer tells.
    package enum Feedback: Hashable, Sendable {
        /// The arrival of every packet.
        case transportWide
        /// Receiver and maximum-bitrate reports only: the peer estimates the path.
        case reports
    }

    /// For so long after the bottleneck was overused the path counts as congested.
    private static let congestionMemory = Duration.seconds(5)
    private static let tickInterval = Duration.milliseconds(100)
    /// Without feedback for so long the path may be gone: less is sent, step by step.
    private static let blindAfter = Duration.seconds(1)
    private static let blindStep = Duration.milliseconds(500)
    private static let blindFactor = 0.7
    /// After so long of less, what is sent again meets a queue that was empty.
    private static let longPause = Duration.seconds(1)
    /// While nothing is sent nobody reports either: so often twice as much is tried then.
    private static let pausePatience = Duration.seconds(5)

    package let feedback: Feedback
    package private(set) var limits: BitrateLimits
    /// What may be sent.
    package private(set) var target: Double
    /// The way there and back, as the newest feedback tells it; `nil`: none came.
    package internal(set) var roundTrip: Duration?
    /// What the peer allows; `nil`: it sets no bound.
    package internal(set) var peerLimit: Double?

    var history: SendHistory
    var detector = QueueDetector()
    var acknowledged = AcknowledgedBitrate()
    var rate: DelayRateController
    var loss = LossRateController()
    var probes = ProbeController()
    var probeEstimator = ProbeEstimator()
    /// Whether anything was measured yet.
    var hasMeasured = false
    var lastProbeResult: MonoTime?
    /// The highest bitrate from which it has fallen of late.
    var fall: (from: Double, at: MonoTime)?
    var applicationLimit = ApplicationLimit()
    /// When less was sent than might be, for the last time.
    var lastLimited: MonoTime?
    /// When as much was sent again as might be, after a while of less.
    var lastResumed: MonoTime?
    var lastFeedback: MonoTime
    var sentSinceReport: (byteCount: Int, from: MonoTime)
    private var mayProbe = false
    /// Since when no more than sound is sent although more is wished; `nil`: it is.
    private(set) var paused: MonoTime?
    private var hasProbed = false
    private var pendingProbes: [ProbeCluster] = []
    private var lastBlindStep: MonoTime
    private var nextTick: MonoTime

    /// Numbers begin with `first`.
    package init(
        _ limits: BitrateLimits, feedback: Feedback = .transportWide, first: SequenceNumber = SequenceNumber(0),
        at now: MonoTime
    ) {
        self.limits = limits
        self.feedback = feedback
        target = limits.start
        history = SendHistory(first: first)
        rate = DelayRateController(bitrate: limits.start)
        lastFeedback = now
        lastBlindStep = now
        nextTick = now + Self.tickInterval
        sentSinceReport = (0, now)
    }

    /// Whether the path carries less than was sent of late, as opposed to losing packets by noise: redundancy would make
    /// it worse.
    package func isCongested(at now: MonoTime) -> Bool {
        loss.isCongested || rate.lastDecrease.map { now - $0 < Self.congestionMemory } ?? false
    }

    /// The share of packets lost of late, 0…1.
    package var lossRatio: Double { loss.lossRatio }

    /// What arrives; `nil`: too little has.
    package var acknowledgedBitrate: Double? { acknowledged.bitrate }

    /// Whether some of what would be sent is left out for want of bandwidth. Whether there is room for all of it, a probe has
    /// to tell.
    package var sendsPart: Bool {
        get { rate.sendsPart }
        set { rate.sendsPart = newValue }
    }

    /// Whether it may be tried what more the path carries: not before there is something to send more of.
    package mutating func setProbing(_ isAllowed: Bool, at now: MonoTime) {
        if !isAllowed { paused = nil }
        mayProbe = isAllowed && feedback == .transportWide
        guard mayProbe else { return pendingProbes.removeAll() }
        guard !hasProbed else { return }
        hasProbed = true
        pendingProbes += probes.start(rate.bitrate, maximum: probeLimit, at: now)
    }

    /// Says that too little may be sent for what is wished beside the sound. Until that is sent, it is tried what more the
    /// path carries.
    package mutating func pause(at now: MonoTime) {
        guard paused == nil else { return }
        paused = now
        applicationLimit.begin(at: now)
        nextTick = max(nextTick, now)
    }

    /// Sets the bounds. Whether more is carried than a maximum that held the target down, is tried.
    package mutating func setLimits(_ limits: BitrateLimits, at now: MonoTime) {
        let wasBound = target >= self.limits.maximum
        self.limits = limits
        if wasBound, target < limits.maximum { tryMore(at: now) }
        rate.clamp(to: limits)
        updateTarget()
    }

    /// Takes a packet that leaves at `now`. Returns the number that it is to carry.
    package mutating func sent(
        byteCount: Int, probe: ProbeCluster.ID? = nil, isAudio: Bool = false, at now: MonoTime
    ) -> SequenceNumber {
        sentSinceReport.byteCount += byteCount
        guard probe == nil || paused == nil else {
            return history.add(byteCount: byteCount, probe: probe, isAudio: isAudio, at: now)
        }
        if !isAudio { paused = nil }
        let limitedSince = applicationLimit.since
        applicationLimit.sent(byteCount: byteCount, bitrate: target, at: now)
        if let limitedSince {
            lastLimited = now
            if applicationLimit.since == nil { resume(after: now - limitedSince, at: now) }
        } else if applicationLimit.since != nil {
            rate.settle()
            updateTarget()
        }
        return history.add(byteCount: byteCount, probe: probe, isAudio: isAudio, at: now)
    }

    private mutating func resume(after pause: Duration, at now: MonoTime) {
        if pause >= Self.longPause { lastResumed = now }
        // What arrived meanwhile says nothing about what is sent now.
        acknowledged = AcknowledgedBitrate()
    }

    /// The next probe to send, if there is one.
    package mutating func takeProbe() -> ProbeCluster? {
        guard !pendingProbes.isEmpty else { return nil }
        let cluster = pendingProbes.removeFirst()
        probeEstimator.begin(cluster)
        return cluster
    }

    /// When `tick` is wanted; `nil`: all is known of what was sent.
    package var deadline: MonoTime? {
        let isWatched =
            feedback == .transportWide && (history.oldestUnheard != nil || applicationLimit.since != nil)
        return isWatched || paused != nil ? nextTick : nil
    }

    /// Takes the passing of time.
    package mutating func tick(at now: MonoTime) {
        guard now >= nextTick else { return }
        nextTick = now + Self.tickInterval
        history.forget(at: now)
        slowDownIfBlind(at: now)
        tryBlindly(at: now)
        guard mayProbe else { return }
        // What a fall has to be approached from is not there while nothing is sent.
        let fall = paused == nil ? fall : nil
        let idle = paused ?? applicationLimit.since ?? rate.held
        pendingProbes += probes.tick(target, maximum: probeLimit, idle: idle, fall: fall, at: now)
    }

    /// Follows a probe that has measured `bitrate` by the next one.
    mutating func followProbe(_ bitrate: Double, at now: MonoTime) {
        guard mayProbe else { return }
        pendingProbes += probes.measured(bitrate, maximum: probeLimit, at: now)
    }

    /// Tries whether the path carries more, now that a bound has gone.
    mutating func tryMore(at now: MonoTime) {
        guard mayProbe else { return }
        pendingProbes += probes.boundRose(target, maximum: probeLimit, at: now)
    }

    mutating func updateTarget() {
        let allowed = min(rate.bitrate, loss.bitrate ?? .infinity, peerLimit ?? .infinity)
        target = allowed.clamped(to: limits.minimum...limits.maximum)
    }

    /// Who tells no arrival times tells nothing of probes either: more is sent, and what becomes of it is seen then.
    private mutating func tryBlindly(at now: MonoTime) {
        guard feedback == .reports, let since = paused, now - since >= Self.pausePatience else { return }
        paused = now
        peerLimit = nil
        loss = LossRateController()
        rate.set((rate.bitrate * 2).clamped(to: limits.minimum...limits.maximum), at: now)
        updateTarget()
    }

    private var probeLimit: Double {
        min(limits.maximum, peerLimit ?? .infinity)
    }

    /// Who sends nothing any more misses no feedback.
    private mutating func slowDownIfBlind(at now: MonoTime) {
        guard feedback == .transportWide, let oldest = history.oldestUnheard, let newest = history.newestSent,
            now - newest <= Self.blindStep,
            now - max(lastFeedback, oldest) > Self.blindAfter + (roundTrip ?? .zero),
            now - lastBlindStep >= Self.blindStep
        else { return }
        lastBlindStep = now
        rate.set(max(rate.bitrate * Self.blindFactor, limits.minimum), at: now)
        updateTarget()
    }
}
