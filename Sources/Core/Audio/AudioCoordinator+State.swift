import ControlProtocol
import MediaEngine
import Reactor

/// The sound as consoles see it.
extension AudioCoordinator {
    var state: AudioState {
        var state = AudioState()
        state.microphone = microphone.state
        state.isMuted = microphone.isMuted
        state.isClosed = microphone.isClosed
        state.isDeafened = microphone.isDeafened
        state.isEveryoneSilenced = silence.silencesEveryone
        state.silencesJoiners = silence.silencesJoiners
        state.gainPercent = gainPercent
        state.volumePercent = volumePercent
        state.warnings = warnings
        state.isTalking = microphone.listensOnly ? nil : microphone.talk?.isTalking
        state.isMetering = isMetering ? true : nil
        sound.describe(in: &state)
        return state
    }

    /// Takes over what the audio thread has noticed about the microphone; says so when it has changed.
    func noticeWarnings(_ report: AudioReport) {
        var noticed: [MicrophoneWarning] = []
        if report.isInputDead, microphone.capturesDevice { noticed.append(.digitalSilence) }
        // Who has to push to talk speaks to others in the room meanwhile.
        let isMutedByWish = microphone.state == .muted && (microphone.isMuted || microphone.listensOnly)
        if report.isSpeakingWhileMuted, isMutedByWish { noticed.append(.speakingWhileMuted) }
        noticed += sound.warnings
        guard noticed != warnings else { return }
        warnings = noticed
        onChange?()
    }

    func settingChanged(_ name: String) {
        switch name {
        case "audio.gain": setGain(percent: settings.integer(name))
        case "audio.volume": setVolume(percent: settings.integer(name))
        case "audio.frame-ms", "audio.complexity", "audio.bitrate": applySending()
        case "audio.talk":
            microphone.talk = talkPolicy
            applyMicrophone()
        case "audio.echo-cancellation", "audio.noise-suppression", "audio.gain-control": applyProcessing()
        default: sound.settingChanged(name)
        }
    }
}
