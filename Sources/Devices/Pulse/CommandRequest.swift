import CPulse

/// One command under way; its owner keeps it alive until it is finished.
final class CommandRequest {
    let command: ServerCommand
    private weak var control: PulseControl?

    init(_ command: ServerCommand, of control: PulseControl) {
        self.command = command
        self.control = control
    }

    /// Sends the command. `nil`: the server cannot be asked.
    func start(_ context: OpaquePointer) -> OpaquePointer? {
        let data = Unmanaged.passUnretained(self).toOpaque()
        return switch command {
        case .setSinkPort(let sink, let port):
            pa_context_set_sink_port_by_name(context, sink, port, commandFinished, data)
        case .setCardProfile(let card, let profile):
            pa_context_set_card_profile_by_name(context, card, profile, commandFinished, data)
        case .setSourceMuted(let source, let isMuted):
            pa_context_set_source_mute_by_name(context, source, isMuted ? 1 : 0, commandFinished, data)
        case .setSinkMuted(let sink, let isMuted):
            pa_context_set_sink_mute_by_name(context, sink, isMuted ? 1 : 0, commandFinished, data)
        case .setSourceVolume(let source, let volume):
            withChannel(volume) { pa_context_set_source_volume_by_name(context, source, $0, commandFinished, data) }
        case .setSinkVolume(let sink, let volume):
            withChannel(volume) { pa_context_set_sink_volume_by_name(context, sink, $0, commandFinished, data) }
        }
    }

    /// One channel of `volume`, which the server spreads over the device's channels.
    private func withChannel(
        _ volume: Double, _ body: (UnsafePointer<pa_cvolume>) -> OpaquePointer?
    ) -> OpaquePointer? {
        var channel = pa_cvolume()
        pa_cvolume_set(&channel, 1, pa_volume_t(min(max(volume, 0), 1.5) * 65_536))
        return body(&channel)
    }

    func finish(succeeded: Bool) {
        control?.finish(self, succeeded: succeeded)
    }
}

private func commandFinished(_ context: OpaquePointer?, _ success: Int32, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<CommandRequest>.fromOpaque(data).takeUnretainedValue().finish(succeeded: success != 0)
}
