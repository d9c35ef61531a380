import ControlProtocol

/// What the microphone does, from everything that is wished of it and everything that is there.
struct MicrophonePolicy: Hashable {
    /// The user's wish; it survives hold and close.
    var isMuted = false
    var isClosed = false
    /// Who pushes to talk; `nil`: the microphone is open without that.
    var talk: PushToTalk?
    var isDeafened = false
    /// Whether there is a device to capture from.
    var hasDevice = false
    /// Whether the room lets us hear and not be heard.
    var listensOnly = false
    /// Whether a console shows its level while there is no call.
    var isMetered = false
    /// Whether nobody else is in the call, so that nothing need be encoded.
    var isAlone = false
    /// The active call's state; `nil`: there is none.
    var isHeld: Bool?

    /// What the microphone line says.
    var state: MicrophoneState {
        talk?.isTalking == false && pushedState == .live ? .muted : pushedState
    }

    /// What it says when nothing need be pushed, or somebody pushes.
    var pushedState: MicrophoneState {
        if isClosed { return .closed }
        if !hasDevice { return .noMicrophone }
        guard let isHeld else { return .idle }
        if isHeld { return .onHold }
        return isMuted || listensOnly ? .muted : .live
    }

    /// Why nobody can push to talk now; `nil`: they can.
    var whyNoTalk: String? {
        guard talk != nil else {
            return "the microphone is open, nothing need be pushed; audio.talk = push changes that"
        }
        if listensOnly { return "you only listen in this room" }
        return switch pushedState {
        case .live: nil
        case .muted: "you are muted; unmute first"
        case .closed: "the microphone is closed; open it first"
        case .noMicrophone: "there is no microphone"
        case .onHold: "the call is on hold"
        case .idle: "there is no call"
        }
    }

    /// Whether the device is open: muting keeps it open, so that the own meter moves (Q8).
    var capturesDevice: Bool {
        !isClosed && (isHeld == nil ? isMetered : !listensOnly)
    }

    /// Whether the audio thread keeps everything to itself.
    var mutesPipeline: Bool {
        isMuted || isClosed || listensOnly || isAlone || isHeld == nil || talk?.isTalking == false
    }
}
