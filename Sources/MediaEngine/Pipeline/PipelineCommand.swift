/// What the engine thread tells the audio thread; each takes effect with the next frame.
enum PipelineCommand: Sendable, BitwiseCopyable {
    /// The object is a `PlayoutStream`.
    case addStream(Handover)
    case removeStream(Int32)
    case setGain(Int32, Float)
    case setSilenced(Int32, Bool)
    case setSyncDelay(Int32, Duration)
    case setOutputGain(Float)
    case setDeafened(Bool)
    case setHeld(Bool)
    case setMuted(Bool)
    case setInputGain(Float)
    /// The object is an `EncoderBox`.
    case setEncoder(Int32, Handover?)
    case applyEncoder(Int32, AudioEncoderSettings)
    /// The object is a `ProcessorBox`.
    case setProcessor(Handover?)
    case applyProcessor(AudioProcessingSettings)
    /// The object is a `SoundFeed`.
    case setFeed(Handover?)
    /// The object is a `RecordingTap`.
    case setRecording(Handover?)
    case play(Tone)
    case stopRinging
}
