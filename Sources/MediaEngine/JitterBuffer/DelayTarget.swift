/// The delay that playout aims at: how long the fastest packet waits before its first sample is played.
///
/// Of the packets in order the largest relative delay of each 500 ms enters a histogram, of which the 95 % quantile is
/// taken; packets out of order have their own, in which a late packet is weighed against delay. While packets carry
/// redundancy, or may begin to, and loss is recent, the target lets the packet after a lost one arrive before the loss must
/// be played.
struct DelayTarget: Sendable {
    private static let quantile: Float = 0.95
    private static let resampleInterval = 500 * SampleTime.perMillisecond
    /// 20 ms of delay for a per cent of packets.
    private static let samplesPerLossPercent = Float(20 * SampleTime.perMillisecond)
    /// Half a device frame: packets begin anywhere within one.
    private static let phaseMargin = SampleTime.frame / 2

    /// Packets of sound without redundancy, 5 s of them, after which none is expected.
    private static let redundancyMemory = 250
    /// Copies from further back are not waited for.
    private static let deepest = 2
    /// Packets without loss, 20 s of them, after which none is expected.
    private static let lossMemory = 1000

    /// For the first 4 s the largest delay seen counts as well, up to 100 ms: the histogram is slower.
    private static let startIntervals = 8
    private static let startBound = 100 * SampleTime.perMillisecond

    private let start: Int
    private let bounds: ClosedRange<Int>
    private var underrun = DelayHistogram(forgetFactor: 0.96)
    private var reorder = DelayHistogram(forgetFactor: 0.9993)
    private var intervalCount = 0
    private var startMaximum = 0
    /// What the histograms said when the last interval ended.
    private var measured = 0
    private var hasReordering = false
    /// How much of an interval has passed, pauses left out.
    private var intervalLength = 0
    private var lastArrival: Int?
    private var intervalMaximum = 0
    private var packetsSinceLoss = DelayTarget.lossMemory
    /// At first as if some had come: it would come too late to be of use, and waiting for it begins in mid-word.
    private var packetsSinceRedundancy = 0
    /// How many packets later what repairs one comes.
    private var redundancyDepth = 1

    /// The target in samples.
    private(set) var samples: Int
    /// Added to it, in samples.
    var syncDelay = 0

    init(_ settings: AudioReceiverSettings) {
        let least = SampleTime.samples(in: settings.minimumDelay)
        bounds = least...max(least, SampleTime.samples(in: settings.maximumDelay))
        start = min(max(SampleTime.samples(in: settings.startDelay), bounds.lowerBound), bounds.upperBound)
        samples = start
    }

    /// Takes a packet's relative delay, and whether a newer packet came before it. Times are in samples.
    mutating func record(delay: Int, isReordered: Bool, at arrival: Int) {
        hasReordering = hasReordering || isReordered
        if hasReordering { reorder.add(isReordered ? delay : 0) }
        if !isReordered, intervalCount < Self.startIntervals {
            startMaximum = min(max(startMaximum, delay), Self.startBound)
        }
        intervalLength = min(intervalLength &+ max(0, arrival &- (lastArrival ?? arrival)), Self.resampleInterval)
        lastArrival = arrival
        // The interval ends before this packet, so that a burst after a stall is in one.
        if intervalLength == Self.resampleInterval { endInterval() }
        intervalMaximum = isReordered ? intervalMaximum : max(intervalMaximum, delay)
    }

    private mutating func endInterval() {
        defer { (intervalLength, intervalMaximum) = (0, 0) }
        underrun.add(intervalMaximum)
        intervalCount = min(intervalCount + 1, Self.startIntervals)
        if intervalCount == Self.startIntervals { startMaximum = 0 }
        measured = underrun.quantile(Self.quantile) + Self.phaseMargin
        if hasReordering {
            measured = max(measured, reorder.cheapestDelay(samplesPerLossPercent: Self.samplesPerLossPercent))
        }
    }

    /// Takes a received packet, unless it is of silence, or a copy. Redundancy, which repairs the packet so many before its
    /// own, means that the sender knows of loss; 0: it has none.
    mutating func recordReceived(redundancyDepth depth: Int) {
        guard depth > 0 else {
            packetsSinceRedundancy = min(packetsSinceRedundancy, Self.redundancyMemory) + 1
            return
        }
        redundancyDepth =
            isRedundancyExpected ? max(redundancyDepth, min(depth, Self.deepest)) : min(depth, Self.deepest)
        packetsSinceRedundancy = 0
    }

    /// Takes that playout reached a packet after `lostCount` lost ones.
    mutating func recordPlayed(lostCount: Int) {
        packetsSinceLoss = lostCount > 0 ? 0 : min(packetsSinceLoss, Self.lossMemory) + 1
    }

    /// Takes that a copy mended a loss, of which playout sees nothing.
    mutating func recordRepaired() {
        packetsSinceLoss = 0
    }

    private var isRedundancyExpected: Bool {
        packetsSinceRedundancy < Self.redundancyMemory
    }

    private var isWaitingForRedundancy: Bool {
        isRedundancyExpected && packetsSinceLoss < Self.lossMemory
    }

    /// Computes `samples` anew for packets of `packetSampleCount`.
    mutating func update(packetSampleCount: Int) {
        var target = max(measured, startMaximum + Self.phaseMargin)
        if intervalCount == 0 { target = max(target, start) }
        if isWaitingForRedundancy {
            let wait = packetSampleCount * redundancyDepth
            // Half of it more than jitter needs: all of it would pay less than its delay costs.
            target = max(target + wait / 2, wait + SampleTime.frame)
        }
        samples = min(max(target, bounds.lowerBound), bounds.upperBound) + syncDelay
    }

    /// Takes that the sender paused: the time until its next packet is part of no interval. Short talk spurts fill one
    /// together.
    mutating func pauseInterval() {
        lastArrival = nil
    }

    /// Forgets the half-filled interval: what was measured before does not compare with what comes.
    mutating func restartInterval() {
        lastArrival = nil
        intervalLength = 0
        intervalMaximum = 0
    }
}
