/// Something about the devices that a person should know, and the command that mends it.
package enum DeviceNotice: Hashable, Sendable {
    case noServer(reason: String)
    case noOutput
    case noInput
    case outputMuted(name: String)
    case inputMuted(name: String)
    case outputVolumeZero(name: String)
    case inputVolumeZero(name: String)
    /// A mixer has muted our own stream.
    case playbackStreamMuted(index: UInt32)
    case captureStreamMuted(index: UInt32)
    case standIn(for: String, isInput: Bool)
    case singleOutput
    /// A port is switched for every program, until the call ends (A37.2).
    case portSwitched(sink: String, port: String)
    /// A Bluetooth profile is switched for every program, until the call ends.
    case profileSwitched(String)
    /// The output only plays: the microphone is that of another device (Q34).
    case microphoneElsewhere(name: String)
    /// The output plays over the network, about two seconds late (Q35).
    case networkOutput(name: String)
    /// The server answers but its clock stands still.
    case stalled

    /// One line for a screen.
    package var text: String {
        switch self {
        case .noServer(let reason): "no sound server: \(reason)"
        case .noOutput: "no output: the sound server has no sink"
        case .noInput: "no microphone: the sound server has no source"
        case .outputMuted(let name): "the sound server mutes the output \(name)"
        case .inputMuted(let name): "the sound server mutes the microphone \(name)"
        case .outputVolumeZero(let name): "the volume of the output \(name) is 0"
        case .inputVolumeZero(let name): "the volume of the microphone \(name) is 0"
        case .playbackStreamMuted: "the sound server's mixer mutes this call's sound"
        case .captureStreamMuted: "the sound server's mixer mutes this call's microphone"
        case .standIn(let name, let isInput): "waiting for the \(isInput ? "microphone" : "output") \(name)"
        case .singleOutput: "single output: there is no other route"
        case .portSwitched(let sink, let port): "\(sink) plays on \(port), for every program, until the call ends"
        case .profileSwitched(let profile): "Bluetooth profile \(profile), for every program, until the call ends"
        case .microphoneElsewhere(let name): "the microphone is another device: \(name)"
        case .networkOutput(let name): "\(name) plays over the network, seconds late"
        case .stalled: "the sound server stands still"
        }
    }

    /// The command that mends it; `nil`: there is nothing to mend, or no command does.
    package var remedy: String? {
        switch self {
        case .noServer: "systemctl --user start pipewire-pulse.socket || pulseaudio --start"
        case .outputMuted(let name): "pactl set-sink-mute \(name) 0"
        case .inputMuted(let name): "pactl set-source-mute \(name) 0"
        case .outputVolumeZero(let name): "pactl set-sink-volume \(name) 100%"
        case .inputVolumeZero(let name): "pactl set-source-volume \(name) 100%"
        case .playbackStreamMuted(let index): "pactl set-sink-input-mute \(index) 0"
        case .captureStreamMuted(let index): "pactl set-source-output-mute \(index) 0"
        case .noOutput, .noInput, .standIn, .singleOutput, .portSwitched, .profileSwitched, .microphoneElsewhere,
            .networkOutput, .stalled:
            nil
        }
    }
}
