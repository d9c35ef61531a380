import Primitives

/// All that the device's thread touches, and the rings on its side.
final class AudioThread {
    /// Reports are this far apart.
    private static let reportInterval = Duration.milliseconds(100)

    private let rings: PipelineRings
    private let doorbell: @Sendable () -> Void
    private let capture: CapturePath
    private let playback: PlaybackPath
    private var recording: RecordingTap?
    private let streamReports: UnsafeMutableBufferPointer<StreamReport>
    private var counters = PipelineCounters()
    private var sentPackets: UInt64 = 0
    private var lastReport: MonoTime?

    init(rings: PipelineRings, streamCapacity: Int, isMuted: Bool, doorbell: @escaping @Sendable () -> Void) {
        self.rings = rings
        self.doorbell = doorbell
        capture = CapturePath(isMuted: isMuted)
        playback = PlaybackPath(streamCapacity: streamCapacity)
        streamReports = .allocate(capacity: streamCapacity)
    }

    deinit {
        streamReports.deallocate()
    }

    func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        obey()
        let level = capture.capture(
            frame, latency: latency, playbackLatency: playback.latency, at: now, counters: &counters
        ) { header, payload in
            if rings.sent.push(header, payload) { sentPackets &+= 1 }
            doorbell()
        }
        if capture.isSending {
            playback.hearOwn(level, at: now)
            recording?.send(capture.frame)
        }
        report(at: now)
    }

    func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        obey()
        receive()
        playback.render(into: frame, latency: latency, at: now, counters: &counters) { retire($0) }
        capture.hear(UnsafeBufferPointer(frame))
        recording?.hear(at: now) { playback.mix(into: $0) }
        report(at: now)
    }

    /// Hands received packets to their streams. What comes meanwhile waits for the next frame.
    private func receive() {
        var left = rings.received.count
        while left > 0 {
            left -= 1
            rings.received.pop { packet, payload in
                if let stream = playback.stream(packet.stream) {
                    stream.source.insert(packet, payload: payload)
                } else {
                    counters.strayPackets &+= 1
                }
            }
        }
    }

    /// Sends an object back to be released where releasing may take its time.
    private func retire(_ object: AnyObject?) {
        guard let object else { return }
        let handover = Handover(object)
        precondition(rings.retired.push(handover), "the retired ring holds more than all commands can retire")
    }

    private func report(at now: MonoTime) {
        if let lastReport, now - lastReport < Self.reportInterval { return }
        lastReport = now
        capture.settle(at: now)
        var count = 0
        playback.forEachStream { stream, isSpeaking in
            let report = StreamReport(
                stream: stream.number, level: stream.meter.level, peak: stream.meter.peak, isSpeaking: isSpeaking,
                statistics: stream.source.statistics, presentation: stream.presentation)
            streamReports.initializeElement(at: count, to: report)
            count += 1
        }
        rings.reports.push(
            makeReport(at: now), UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: streamReports[..<count])))
        doorbell()
    }

    private func makeReport(at now: MonoTime) -> AudioReport {
        var report = AudioReport()
        report.time = now
        report.ownLevel = capture.meter.level
        report.ownPeak = capture.meter.peak
        report.isMuted = capture.isMuted
        report.isHeld = capture.isHeld
        report.isDeafened = playback.isDeafened
        report.isSending = capture.isSending
        report.isSpeakingWhileMuted = capture.watch.isTalkingMuted
        report.isInputDead = capture.watch.isDead
        report.isOwnSpeaking = playback.isOwnSpeaking
        report.dominantSpeaker = playback.dominant
        report.captureLatency = capture.latency
        report.playbackLatency = playback.latency
        counters.sentPackets = sentPackets
        counters.refusedSentPackets = UInt64(rings.sent.refusedCount)
        counters.refusedReceivedPackets = UInt64(rings.received.refusedCount)
        report.counters = counters
        return report
    }
}

extension AudioThread {
    private func obey() {
        while let command = rings.commands.pop() { obey(command) }
    }

    private func obey(_ command: PipelineCommand) {
        switch command {
        case .addStream(let stream): retire(playback.add(stream.take(as: PlayoutStream.self)))
        case .removeStream(let number): playback.remove(number)
        case .setGain(let number, let gain): playback.stream(number)?.gain = gain
        case .setSilenced(let number, let isSilenced): playback.stream(number)?.isSilenced = isSilenced
        case .setSyncDelay(let number, let delay): playback.stream(number)?.source.syncDelay = delay
        case .setOutputGain(let gain): playback.outputGain = gain
        case .setDeafened(let isDeafened): playback.isDeafened = isDeafened
        case .setHeld(let isHeld): hold(isHeld)
        case .setMuted(let isMuted): capture.isMuted = isMuted
        case .setInputGain(let gain): capture.inputGain = gain
        case .setEncoder(let number, let box):
            retire(capture.replaceEncoder(box?.take(as: EncoderBox.self), number: Int(number)))
        case .applyEncoder(let number, let settings): capture.apply(settings, number: Int(number))
        case .setProcessor(let box): retire(capture.replaceProcessor(box?.take(as: ProcessorBox.self)))
        case .applyProcessor(let settings): capture.apply(settings)
        case .setFeed(let feed): retire(capture.replaceFeed(feed?.take(as: SoundFeed.self)))
        case .setRecording(let tap):
            retire(recording)
            recording = tap?.take(as: RecordingTap.self)
        case .play(let tone): playback.play(tone)
        case .stopRinging: playback.stopRinging()
        }
    }

    private func hold(_ isHeld: Bool) {
        capture.isHeld = isHeld
        playback.isHeld = isHeld
    }
}
