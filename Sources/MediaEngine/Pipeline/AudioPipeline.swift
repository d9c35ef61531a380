package import Primitives

/// The whole audio path between the devices and the network, driven by the device's clock.
///
/// The device calls `captured` and `render` on its thread, never both at once; everything else is called on the engine
/// thread. The two meet in bounded rings only: the audio thread takes no lock and, once it runs, no memory. Objects are
/// made on the engine thread, lent to the audio thread, and released on the engine thread by `drain`.
package final class AudioPipeline: AudioClient, @unchecked Sendable {
    // unchecked: `audio` is touched by the device's calls alone, the rest by the engine thread alone; the rings between
    // them are safe for one thread on each side.

    /// This side's own microphone, where a stream's number is expected.
    package static let own: Int32 = -1

    /// Encoders that can be installed at a time.
    package static let encoderCapacity = 4

    private let rings: PipelineRings
    private let audio: AudioThread
    private var backlog: [PipelineCommand] = []
    private var slots: [Int32?]
    private var generation = 0

    /// - Parameters:
    ///   - streamCapacity: streams that can play at a time, at most 256.
    ///   - isMuted: whether the microphone begins muted: then nothing at all is sent before `setMuted(false)`.
    ///   - doorbell: rung on the audio thread when `drain` has something to give. It must not block; a write to an
    ///     event descriptor is right. It must not have been made in isolated code.
    package init(streamCapacity: Int = 32, isMuted: Bool = false, doorbell: @escaping @Sendable () -> Void) {
        let capacity = streamCapacity.clamped(to: 1...StreamNumber.slotCapacity)
        rings = PipelineRings(streamCapacity: capacity)
        slots = .init(repeating: nil, count: capacity)
        audio = AudioThread(rings: rings, streamCapacity: capacity, isMuted: isMuted, doorbell: doorbell)
    }

    deinit {
        for command in backlog { Self.release(command) }
        while let command = rings.commands.pop() { Self.release(command) }
        reclaim()
    }

    package func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        audio.captured(frame, latency: latency, at: now)
    }

    package func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        audio.render(into: frame, latency: latency, at: now)
    }

    /// Begins to play `source`, from the first sample on at that gain, or silenced. Returns its number; nil: all slots
    /// are taken.
    package func addStream(
        _ source: any PlayoutSource, gain: PlaybackGain = .unity, isSilenced: Bool = false
    ) -> Int32? {
        guard let slot = slots.firstIndex(where: { $0 == nil }) else { return nil }
        generation += 1
        let number = StreamNumber.make(slot: slot, generation: generation)
        slots[slot] = number
        let stream = PlayoutStream(number: number, source: source, gain: gain.linear, isSilenced: isSilenced)
        send(.addStream(Handover(stream)))
        return number
    }

    /// Fades a stream out and gives it up; its source is released by a later `drain`.
    package func removeStream(_ number: Int32) {
        guard let slot = slots.firstIndex(of: number) else { return }
        slots[slot] = nil
        send(.removeStream(number))
    }

    /// Passes a received packet on. Returns false, and counts, when the audio thread has fallen far behind or the
    /// payload is too long.
    @discardableResult
    package func deliver(_ packet: AudioPacket, payload: UnsafeRawBufferPointer) -> Bool {
        rings.received.push(packet, payload)
    }

    /// Installs the encoder of that number, below `encoderCapacity`, or none. What is captured goes through each of
    /// them; without any, nothing is sent.
    package func setEncoder(_ encoder: (any AudioEncoder)?, number: Int = 0) {
        precondition(0..<Self.encoderCapacity ~= number, "no encoder has the number \(number)")
        send(.setEncoder(Int32(number), encoder.map { Handover(EncoderBox($0)) }))
    }

    /// Installs the processing of captured sound, or none.
    package func setProcessor(_ processor: (any AudioProcessor)?) {
        send(.setProcessor(processor.map { Handover(ProcessorBox($0)) }))
    }

    /// Sends what `feed` has beside what the microphone captures, while that is sent; or nothing.
    package func setFeed(_ feed: SoundFeed?) {
        send(.setFeed(feed.map { Handover($0) }))
    }

    /// Lets a recording have what is heard and sent, or none.
    package func setRecording(_ tap: RecordingTap?) {
        send(.setRecording(tap.map { Handover($0) }))
    }

    /// Takes out everything that waits: encoded packets to `packet`, whose payload is valid during the call, then
    /// reports to `report`. Releases what the audio thread has given back.
    package func drain(
        packet: (SentAudio, UnsafeRawBufferPointer) -> Void,
        report: (AudioReport, UnsafeBufferPointer<StreamReport>) -> Void
    ) {
        flush()
        while rings.sent.pop(packet) {}
        while rings.reports.pop({ header, bytes in
            bytes.withMemoryRebound(to: StreamReport.self) { report(header, $0) }
        }) {}
    }

    /// Sends a command in its order. While the audio thread stands still, commands wait here.
    func send(_ command: PipelineCommand) {
        backlog.append(command)
        flush()
    }

    private func flush() {
        reclaim()
        let sent = backlog.firstIndex { !rings.commands.push($0) } ?? backlog.count
        backlog.removeFirst(sent)
    }

    private func reclaim() {
        while let object = rings.retired.pop() { _ = object.take(as: AnyObject.self) }
    }

    /// Releases the object in a command that nobody will obey any more.
    private static func release(_ command: PipelineCommand) {
        switch command {
        case .addStream(let object): _ = object.take(as: AnyObject.self)
        case .setEncoder(_, let object), .setProcessor(let object), .setFeed(let object),
            .setRecording(let object):
            _ = object?.take(as: AnyObject.self)
        default: break
        }
    }
}
