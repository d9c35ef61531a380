package import Primitives

/// What the audio thread tells ten times a second.
package struct AudioReport: Sendable, BitwiseCopyable {
    package var time = MonoTime.zero
    /// The own meter, also while muted: level after the input gain, before processing.
    package var ownLevel = AudioLevel.silence
    package var ownPeak = AudioLevel.silence
    /// The states that are in force, as the audio thread has them.
    package var isMuted = false
    package var isHeld = false
    package var isDeafened = false
    /// Whether an encoder is installed and neither mute nor hold keeps it from sending.
    package var isSending = false
    /// Whether somebody talks into a muted microphone.
    package var isSpeakingWhileMuted = false
    /// Whether the microphone has given nothing but digital zeros for 5 s.
    package var isInputDead = false
    package var isOwnSpeaking = false
    /// Who has the floor: a stream's number, or `AudioPipeline.own`.
    package var dominantSpeaker: Int32?
    /// Age of captured sound, and delay of played sound, as the device reports them.
    package var captureLatency = Duration.zero
    package var playbackLatency = Duration.zero
    package var counters = PipelineCounters()

    package init() {}
}

/// Everything that the audio thread counts, since its start.
package struct PipelineCounters: Hashable, Sendable, BitwiseCopyable {
    package var capturedFrames: UInt64 = 0
    package var renderedFrames: UInt64 = 0
    /// Calls of the device that came more than 15 ms after their time.
    package var lateTicks: UInt64 = 0
    /// Frames asked for after the device must have run dry.
    package var underruns: UInt64 = 0
    package var sentPackets: UInt64 = 0
    /// Encoded packets that the ring refused: the engine thread was late for a second.
    package var refusedSentPackets: UInt64 = 0
    /// Received packets that the ring refused: the audio thread was late.
    package var refusedReceivedPackets: UInt64 = 0
    /// Received packets whose stream is no more.
    package var strayPackets: UInt64 = 0

    package init() {}
}

/// One stream in a report.
package struct StreamReport: Sendable, BitwiseCopyable {
    /// The number that `AudioPipeline.addStream` gave out.
    package var stream: Int32
    /// The meter of the decoded sound, before gain and silence.
    package var level: AudioLevel
    package var peak: AudioLevel
    package var isSpeaking: Bool
    package var statistics: AudioReceiverStatistics
    /// What of the sender's sound is heard and when; `nil`: none of late.
    package var presentation: StreamSynchronizer.Presentation?

    package init(
        stream: Int32, level: AudioLevel, peak: AudioLevel, isSpeaking: Bool, statistics: AudioReceiverStatistics,
        presentation: StreamSynchronizer.Presentation? = nil
    ) {
        self.stream = stream
        self.level = level
        self.peak = peak
        self.isSpeaking = isSpeaking
        self.statistics = statistics
        self.presentation = presentation
    }
}
