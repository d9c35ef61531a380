import Primitives

/// One participant on the audio thread: the source of sound and how it is played.
final class PlayoutStream {
    let number: Int32
    let source: any PlayoutSource
    var gain: Float {
        didSet { aim() }
    }
    var isSilenced: Bool {
        didSet { aim() }
    }
    /// Whether this is its last frame, which fades out.
    private(set) var isLeaving = false
    var ramp: GainRamp
    private(set) var meter = LevelMeter()
    /// What of the sender's sound the last frame began with, and when that is heard.
    private(set) var presentation: StreamSynchronizer.Presentation?

    init(number: Int32, source: any PlayoutSource, gain: Float, isSilenced: Bool) {
        self.number = number
        self.source = source
        self.gain = gain
        self.isSilenced = isSilenced
        ramp = GainRamp(isSilenced ? 0 : gain)
    }

    func leave() {
        isLeaving = true
        aim()
    }

    /// Fills `frame` with the decoded sound, which is heard `latency` later. Returns its level.
    func pull(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) -> AudioLevel {
        source.pull(into: frame, at: now)
        presentation = source.presentedTimestamp.map { .init(timestamp: $0, time: now + latency) }
        let level = AudioLevel(of: UnsafeBufferPointer(frame))
        meter.receive(level, at: now)
        return level
    }

    private func aim() {
        ramp.target = isSilenced || isLeaving ? 0 : gain
    }
}
