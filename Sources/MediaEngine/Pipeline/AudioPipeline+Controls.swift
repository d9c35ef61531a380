/// The switches and dials. Each takes effect with the next frame; those on sound that is played fade over that frame.
extension AudioPipeline {
    /// Keeps the microphone open and sends nothing: not one packet after the audio thread has seen it.
    package func setMuted(_ isMuted: Bool) {
        send(.setMuted(isMuted))
    }

    /// Stops both directions; mute and deafen stay as they are beneath it.
    package func setHeld(_ isHeld: Bool) {
        send(.setHeld(isHeld))
    }

    /// Silences everyone, in one's own ears only. Tones are still heard.
    package func setDeafened(_ isDeafened: Bool) {
        send(.setDeafened(isDeafened))
    }

    /// Silences one participant, in one's own ears only; its meter goes on.
    package func setSilenced(_ isSilenced: Bool, stream: Int32) {
        send(.setSilenced(stream, isSilenced))
    }

    package func setGain(_ gain: PlaybackGain, stream: Int32) {
        send(.setGain(stream, gain.linear))
    }

    /// What is added to a stream's delay so that its sound comes with its picture.
    package func setSyncDelay(_ delay: Duration, stream: Int32) {
        send(.setSyncDelay(stream, delay))
    }

    /// The loudness of everything that is played, tones excepted.
    package func setOutputGain(_ gain: PlaybackGain) {
        send(.setOutputGain(gain.linear))
    }

    /// The gain of the microphone, before its meter and the processing.
    package func setInputGain(_ gain: PlaybackGain) {
        send(.setInputGain(gain.linear))
    }

    /// Applies settings to the encoder of that number, if there is one.
    package func apply(_ settings: AudioEncoderSettings, number: Int = 0) {
        send(.applyEncoder(Int32(number), settings))
    }

    package func apply(_ settings: AudioProcessingSettings) {
        send(.applyProcessor(settings))
    }

    /// Plays a tone, here only.
    package func play(_ tone: Tone) {
        send(.play(tone))
    }

    /// Ends `Tone.ring`.
    package func stopRinging() {
        send(.stopRinging)
    }
}
