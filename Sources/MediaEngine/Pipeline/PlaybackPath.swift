import Primitives

/// From the streams to the loudspeaker: sources, gains, mix, tones, limiter.
///
/// Lives on the audio thread.
final class PlaybackPath {
    private let scratch: UnsafeMutableBufferPointer<Float>
    private let mixer: Mixer
    private var slots: [PlayoutStream?]
    private var master = GainRamp(1)
    private var limiter = SoftLimiter()
    private var notes = ToneVoice()
    private var ringing = ToneVoice()
    private var ticks = TickWatch()

    private(set) var speaker: DominantSpeaker
    private(set) var latency = Duration.zero
    var outputGain: Float = 1 {
        didSet { aim() }
    }
    var isDeafened = false {
        didSet { aim() }
    }
    var isHeld = false {
        didSet { aim() }
    }

    init(streamCapacity: Int) {
        slots = .init(repeating: nil, count: streamCapacity)
        mixer = Mixer(inputCount: streamCapacity)
        speaker = DominantSpeaker(capacity: streamCapacity + 1)
        speaker.add(streamCapacity)
        scratch = .allocate(capacity: AudioFormat.frameSampleCount)
        scratch.initialize(repeating: 0)
    }

    deinit {
        scratch.deallocate()
    }

    /// The stream of that number; nil: it is no more.
    func stream(_ number: Int32) -> PlayoutStream? {
        let slot = StreamNumber.slot(of: number)
        guard slots.indices.contains(slot), let stream = slots[slot], stream.number == number else { return nil }
        return stream
    }

    /// Begins to play a stream. Returns the one that was still fading out in its place.
    func add(_ stream: PlayoutStream) -> PlayoutStream? {
        let slot = StreamNumber.slot(of: stream.number)
        guard slots.indices.contains(slot) else { return stream }
        defer {
            slots[slot] = stream
            speaker.add(slot)
        }
        return slots[slot]
    }

    func play(_ tone: Tone) {
        if tone == .ring { ringing.play(tone) } else { notes.play(tone) }
    }

    func stopRinging() {
        ringing.stop()
    }

    /// Hears the own microphone for the dominant speaker.
    func hearOwn(_ level: AudioLevel, at now: MonoTime) {
        speaker.receive(level, of: slots.count, at: now)
    }

    /// Whether this side's own microphone is being talked into.
    var isOwnSpeaking: Bool {
        speaker.isSpeaking(slots.count)
    }

    /// Who has the floor, as a stream's number.
    var dominant: Int32? {
        guard let slot = speaker.dominant else { return nil }
        return slot == slots.count ? AudioPipeline.own : slots[slot]?.number
    }

    /// Fills a frame. Streams that have faded out are handed to `retire`.
    func render(
        into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime,
        counters: inout PipelineCounters, retire: (PlayoutStream) -> Void
    ) {
        ticks.receive(latency: latency, at: now, into: &counters)
        counters.renderedFrames &+= 1
        self.latency = latency
        mixer.clear()
        for slot in slots.indices {
            guard let stream = slots[slot] else { continue }
            mix(stream, slot: slot, at: now)
            if stream.isLeaving {
                slots[slot] = nil
                retire(stream)
            }
        }
        speaker.tick(at: now)
        mixer.mix(into: frame)
        master.apply(to: frame)
        notes.add(to: frame)
        ringing.add(to: frame)
        limiter.process(frame)
    }

    /// Writes what the last frame had of the streams, whatever this side's own volume; nothing on hold.
    func mix(into frame: UnsafeMutableBufferPointer<Float>) {
        if isHeld { frame.update(repeating: 0) } else { mixer.mix(into: frame) }
    }

    /// Stops considering a stream and lets its next frame be the last.
    func remove(_ number: Int32) {
        guard let stream = stream(number) else { return }
        stream.leave()
        speaker.remove(StreamNumber.slot(of: number))
    }

    /// Calls `body` with each stream that is playing and whether it is heard speaking.
    func forEachStream(_ body: (PlayoutStream, Bool) -> Void) {
        for slot in slots.indices {
            guard let stream = slots[slot], !stream.isLeaving else { continue }
            body(stream, speaker.isSpeaking(slot))
        }
    }

    private func mix(_ stream: PlayoutStream, slot: Int, at now: MonoTime) {
        let level = stream.pull(into: scratch, latency: latency, at: now)
        speaker.receive(level, of: slot, at: now)
        mixer.add(scratch, gain: &stream.ramp, input: slot)
    }

    private func aim() {
        master.target = isDeafened || isHeld ? 0 : outputGain
    }
}
