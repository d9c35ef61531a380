import Primitives

/// Keeps `AudioReceiverStatistics`, and what it takes to decide what counts as concealed.
struct StatisticsCounter: Sendable {
    private static let interruption = 150 * SampleTime.perMillisecond
    private static let rateWindow = UInt64(AudioFormat.rateHz)

    private(set) var values = AudioReceiverStatistics()
    /// The concealment under way: all of it, and the part whose cause is not known yet.
    private var runSampleCount = 0
    private var pendingSampleCount = 0
    private var pendingSilentSampleCount = 0
    private var isCountedAsEvent = false
    private var lastOffset: Int?
    private var rateMark = (total: UInt64(0), concealed: UInt64(0))

    init() {}

    /// Takes a packet whose arrival minus media time is `offset` samples.
    mutating func receive(offset: Int) {
        values.packetsReceived &+= 1
        if let lastOffset {
            let difference = Float((offset &- lastOffset).magnitude) / Float(SampleTime.perMillisecond)
            values.jitterMilliseconds += (difference - values.jitterMilliseconds) / 16
        }
        lastOffset = offset
    }

    /// Forgets the last packet, with which the next one does not compare.
    mutating func restartJitter() {
        lastOffset = nil
    }

    /// Takes concealed samples; `isCertain`: they stand for a packet that is known to be lost.
    mutating func conceal(_ count: Int, isSilent: Bool, isCertain: Bool) {
        runSampleCount &+= count
        pendingSampleCount &+= count
        if isSilent { pendingSilentSampleCount &+= count }
        if isCertain { commitPending() }
    }

    /// Ends a concealment, because a packet is played; `asPause`: the sender had paused.
    mutating func endConcealment(asPause: Bool) {
        guard runSampleCount > 0 else { return }
        if !asPause { commitPending() }
        if isCountedAsEvent, runSampleCount - (asPause ? pendingSampleCount : 0) >= Self.interruption {
            values.interruptionCount &+= 1
        }
        runSampleCount = 0
        pendingSampleCount = 0
        pendingSilentSampleCount = 0
        isCountedAsEvent = false
    }

    /// Takes back samples that were concealed in advance and will not be played.
    mutating func retract(_ count: Int) {
        runSampleCount = max(0, runSampleCount &- count)
        pendingSampleCount = max(0, pendingSampleCount &- count)
        pendingSilentSampleCount = min(pendingSilentSampleCount, pendingSampleCount)
    }

    private mutating func commitPending() {
        guard pendingSampleCount > 0 else { return }
        values.concealedSamples &+= UInt64(pendingSampleCount)
        values.silentConcealedSamples &+= UInt64(pendingSilentSampleCount)
        if !isCountedAsEvent { values.concealmentEvents &+= 1 }
        isCountedAsEvent = true
        pendingSampleCount = 0
        pendingSilentSampleCount = 0
    }

    /// Takes a packet that is played: its delay and the target then, in samples.
    mutating func emit(_ count: Int, delay: Int, target: Int) {
        let seconds = Double(count) / Double(AudioFormat.rateHz)
        values.jitterBufferDelaySeconds += Double(max(0, delay)) * seconds
        values.jitterBufferTargetDelaySeconds += Double(target) * seconds
        values.jitterBufferEmittedCount &+= UInt64(count)
    }

    /// Takes a frame that was played, and the state after it in samples.
    mutating func play(_ frame: UnsafeBufferPointer<Float>, delay: Int, target: Int, starved: Int) {
        values.totalSamplesReceived &+= UInt64(frame.count)
        values.currentDelayMilliseconds = Float(SampleTime.milliseconds(delay))
        values.targetDelayMilliseconds = Float(SampleTime.milliseconds(target))
        values.starvedMilliseconds = Float(SampleTime.milliseconds(starved))
        values.levelDBov = Self.level(of: frame)
        guard values.totalSamplesReceived &- rateMark.total >= Self.rateWindow else { return }
        let concealed = Float(values.concealedSamples &- rateMark.concealed)
        values.expandRate = min(1, concealed / Float(values.totalSamplesReceived &- rateMark.total))
        rateMark = (values.totalSamplesReceived, values.concealedSamples)
    }

    mutating func insertForDeceleration(_ count: Int) {
        values.insertedSamplesForDeceleration &+= UInt64(count)
    }

    mutating func removeForAcceleration(_ count: Int) {
        values.removedSamplesForAcceleration &+= UInt64(count)
    }

    mutating func receiveRedundancy() {
        values.fecPacketsReceived &+= 1
    }

    mutating func discardRedundancy() {
        values.fecPacketsDiscarded &+= 1
    }

    mutating func lose(_ count: Int) {
        values.packetsLost &+= UInt64(max(0, count))
    }

    mutating func repair(byCopy isByCopy: Bool) {
        values.packetsRepaired &+= 1
        values.packetsRepairedByCopies &+= isByCopy ? 1 : 0
    }

    mutating func discard(_ count: Int = 1) {
        values.packetsDiscarded &+= UInt64(count)
    }

    mutating func duplicate() {
        values.packetsReceived &+= 1
        values.packetsDuplicated &+= 1
    }

    mutating func invalidate() {
        values.packetsInvalid &+= 1
    }

    /// The level relative to a full-scale square wave (RFC 6464), down to −127.
    private static func level(of frame: UnsafeBufferPointer<Float>) -> Float {
        guard let samples = frame.baseAddress else { return -127 }
        let power = Double(Crossfade.power(samples, count: frame.count))
        return power > 0 ? Float(min(0, max(-127, decibels(amplitude: power.squareRoot())))) : -127
    }
}
