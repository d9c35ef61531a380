/// The delay that playout aims at: how long the fastest packet waits before its first sample is played.
///
/// Of the packets in order the largest relative delay of each 500 ms enters a histogram, of which the 95 % quantile is
/// taken; packets out of order have their own, in which a late packet is weighed against delay. While packets are lost
/// and carry redundancy, the target lets the packet after a lost one arrive before the loss must be played.
struct DelayTarget: Sendable {
    private static let quantile: Float = 0.95
    private static let resampleInterval = 500 * SampleTime.perMillisecond
    /// 20 ms of delay for a per cent of packets.
    private static let samplesPerLossPercent = Float(20 * SampleTime.perMillisecond)
    /// Half a device frame: packets begin anywhere within one.
    private static let phaseMargin = SampleTime.frame / 2

    private let start: Int
    private let bounds: ClosedRange<Int>
    private var underrun = DelayHistogram(forgetFactor: 0.96)
    private var reorder = DelayHistogram(forgetFactor: 0.9993)
    private var isMeasured = false
    private var hasReordering = false
    private var intervalBegin: Int?
    private var intervalMaximum = 0
    private var loss: Float = 0
    private var isWaitingForRedundancy = false

    /// The target in samples.
    private(set) var samples: Int

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
        if let begin = intervalBegin, arrival &- begin < Self.resampleInterval {
            intervalMaximum = isReordered ? intervalMaximum : max(intervalMaximum, delay)
            return
        }
        // The interval ends before this packet, so that a burst after a stall is in one.
        if intervalBegin != nil {
            underrun.add(intervalMaximum)
            isMeasured = true
        }
        intervalBegin = arrival
        intervalMaximum = isReordered ? 0 : delay
    }

    /// Takes that playout reached a packet after `lostCount` lost ones, and whether it carries redundancy.
    mutating func recordPlayed(lostCount: Int, hasRedundancy: Bool) {
        loss = min(1, loss * 0.995 + Float(min(lostCount, 10)) * 0.005)
        if loss < 0.0025 { isWaitingForRedundancy = false }
        if loss >= 0.005, hasRedundancy { isWaitingForRedundancy = true }
    }

    /// Computes `samples` anew for packets of `packetSampleCount`.
    mutating func update(packetSampleCount: Int) {
        var target = isMeasured ? underrun.quantile(Self.quantile) + Self.phaseMargin : start
        if hasReordering {
            target = max(target, reorder.cheapestDelay(samplesPerLossPercent: Self.samplesPerLossPercent))
        }
        if isWaitingForRedundancy { target = max(target, packetSampleCount + SampleTime.frame) }
        samples = min(max(target, bounds.lowerBound), bounds.upperBound)
    }

    /// Forgets the half-filled interval: what was measured before does not compare with what comes.
    mutating func restartInterval() {
        intervalBegin = nil
        intervalMaximum = 0
    }
}
