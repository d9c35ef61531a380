import Primitives

/// From the microphone to packets: gain, own meter, processing, a clip's sound, the gate of mute and hold, encoders.
///
/// Lives on the audio thread.
final class CapturePath {
    /// A pause of the device longer than this is bridged on the stream's clock.
    private static let longestGap = Duration.milliseconds(100)

    private let work: UnsafeMutableBufferPointer<Float>
    private let assemblers = (0..<AudioPipeline.encoderCapacity).map { PacketAssembler(number: Int32($0)) }
    private var processor: ProcessorBox?
    private var feed: SoundFeed?
    private var limiter = SoftLimiter()
    private var gain = GainRamp(1)
    private var gate = GainRamp(0)
    private var timestamp: UInt32 = 0
    private var activity = VoiceActivity()
    /// Silence shorter than this hangover of 1.2 s is a pause inside speech, which is sent.
    private var conversation = VoiceActivity(hangover: 120)
    private var ticks = TickWatch()

    private(set) var meter = LevelMeter()
    private(set) var watch = MicrophoneWatch()
    private(set) var latency = Duration.zero
    var isMuted: Bool {
        didSet { updateGate() }
    }
    var isHeld = false {
        didSet { updateGate() }
    }

    init(isMuted: Bool) {
        self.isMuted = isMuted
        work = .allocate(capacity: AudioFormat.frameSampleCount)
        work.initialize(repeating: 0)
        updateGate()
    }

    deinit {
        work.deallocate()
    }

    /// The last frame, as it was sent if it was.
    var frame: UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(work)
    }

    /// Whether packets may leave.
    var isSending: Bool {
        guard !isMuted, !isHeld else { return false }
        for number in assemblers.indices where assemblers[number].hasEncoder { return true }
        return false
    }

    var inputGain: Float {
        get { gain.target }
        set { gain.target = newValue }
    }

    /// Installs an encoder or removes it. Returns the one before.
    func replaceEncoder(_ new: EncoderBox?, number: Int) -> EncoderBox? {
        assemblers[number].replaceEncoder(new)
    }

    func apply(_ settings: AudioEncoderSettings, number: Int) {
        assemblers[number].apply(settings)
    }

    /// Installs a processor or removes it. Returns the one before.
    func replaceProcessor(_ new: ProcessorBox?) -> ProcessorBox? {
        defer { processor = new }
        return processor
    }

    /// Installs what sounds beside the microphone or removes it. Returns the one before.
    func replaceFeed(_ new: SoundFeed?) -> SoundFeed? {
        defer { feed = new }
        if new != nil { limiter = SoftLimiter() }
        return feed
    }

    func apply(_ settings: AudioProcessingSettings) {
        processor?.processor.apply(settings)
    }

    /// Lets the echo canceller hear what is played.
    func hear(_ frame: UnsafeBufferPointer<Float>) {
        processor?.processor.analyzePlayback(frame)
    }

    /// Takes a frame of 480 samples. Returns the level of what is, or would be, sent, and whether a voice is in it.
    func capture(
        _ frame: UnsafeBufferPointer<Float>, latency: Duration, playbackLatency: Duration, at now: MonoTime,
        counters: inout PipelineCounters, send: (SentAudio, UnsafeRawBufferPointer) -> Void
    ) -> AudioLevel {
        bridgeGap(at: now)
        ticks.receive(latency: nil, at: now, into: &counters)
        counters.capturedFrames &+= 1
        self.latency = latency
        watch.receive(frame)
        prepare(frame, at: now)
        processor?.processor.processCapture(work, delay: latency + playbackLatency)
        mixFeed(at: now - latency)
        let level = AudioLevel(of: UnsafeBufferPointer(work))
        let hasVoice = activity.receive(level)
        let mayPause = !conversation.receive(level)
        watch.receive(hasVoice: hasVoice, isMuted: isMuted && !isHeld)
        defer { timestamp &+= UInt32(AudioFormat.frameSampleCount) }
        guard isSending else { return level }
        gate.apply(to: work)
        for number in assemblers.indices {
            assemblers[number].append(
                UnsafeBufferPointer(work), hasVoice: hasVoice, mayPause: mayPause, timestamp: timestamp,
                captureTime: now - latency, send: send)
        }
        return level
    }

    /// Lets the meter fall, and what was noticed lapse, while the microphone is closed.
    func settle(at now: MonoTime) {
        guard let last = ticks.last, now - last > Self.longestGap else { return }
        meter.tick(at: now)
        watch = MicrophoneWatch()
    }

    /// Copies the frame, at its gain, and shows its level.
    private func prepare(_ frame: UnsafeBufferPointer<Float>, at now: MonoTime) {
        for index in work.indices {
            let sample = index < frame.count ? frame[index] : 0
            work[index] = sample.isFinite ? sample : 0
        }
        gain.apply(to: work)
        meter.receive(AudioLevel(of: UnsafeBufferPointer(work)), at: now)
    }

    /// Adds what sounds beside the microphone, where that is sent.
    private func mixFeed(at time: MonoTime) {
        let isMixed = isSending && feed?.addNext(to: work, at: time) == true
        if isMixed || limiter.gain < 1 { limiter.process(work) }
    }

    /// Closes at once, so that not one packet more leaves; opens with a fade.
    private func updateGate() {
        if isMuted || isHeld {
            closeAssemblers()
            gate = GainRamp(0)
        } else {
            gate.target = 1
        }
    }

    private func closeAssemblers() {
        for number in assemblers.indices { assemblers[number].close() }
    }

    /// Lets the stream's clock run on through a closed microphone or a change of the device.
    private func bridgeGap(at now: MonoTime) {
        guard let last = ticks.last, now - last > Self.longestGap else { return }
        closeAssemblers()
        let frames = (now - last).nanoseconds / AudioFormat.frameDuration.nanoseconds - 1
        timestamp &+= UInt32(truncatingIfNeeded: frames * Int64(AudioFormat.frameSampleCount))
    }
}
