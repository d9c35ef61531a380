/// Makes the state that is shown out of what is known.
struct StateReport {
    var inventory: DeviceInventory?
    var lostReason: String?
    var choice: DeviceChoice
    var status: PulseDevice.Status
    var clock: AudioDeviceState.Clock
    var isCapturing: Bool
    var isStalled: Bool

    var state: AudioDeviceState {
        var state = AudioDeviceState()
        state.server = server
        state.clock = clock
        state.usefulProcessing = choice.usefulProcessing
        if clock != .none {
            state.output = inventory == nil ? .none : endpoint(choice.sink, status.playback, inventory?.sinks)
            state.input = input
            state.awaitedOutput = choice.awaitedSink
            state.awaitedInput = choice.awaitedSource
            state.route = inventory == nil ? nil : choice.route
            state.canChangeRoute = inventory != nil && choice.canChangeRoute
        }
        state.notices = notices
        return state
    }

    private var server: AudioDeviceState.Server {
        if let inventory { return .running(name: inventory.serverName, version: inventory.serverVersion) }
        return lostReason.map { .absent(reason: $0) } ?? .searching
    }

    private var input: AudioDeviceState.Endpoint {
        guard isCapturing else { return .closed }
        return inventory == nil ? .none : endpoint(choice.source, status.capture, inventory?.sources)
    }

    private func endpoint(
        _ chosen: ChosenDevice?, _ stream: StreamStatus, _ devices: [SoundDevice]?
    ) -> AudioDeviceState.Endpoint {
        guard let device = chosen?.device else { return .none }
        switch stream {
        case .running(let running):
            let description = devices?.first { $0.name == running.device }?.description ?? running.device
            return .running(name: running.device, description: description, granted: running.granted)
        case .failed(let reason):
            return .failed(name: device.name, reason: reason)
        case .closed, .opening:
            return .opening(name: device.name, description: device.description)
        }
    }

    private var notices: [DeviceNotice] {
        guard let inventory else { return lostReason.map { [.noServer(reason: $0)] } ?? [] }
        guard clock != .none else { return [] }
        return outputNotices(inventory) + inputNotices(inventory) + streamNotices(inventory) + routeNotices
    }

    private func outputNotices(_ inventory: DeviceInventory) -> [DeviceNotice] {
        var notices: [DeviceNotice] = []
        if let name = choice.awaitedSink { notices.append(.standIn(for: name, isInput: false)) }
        guard let chosen = choice.sink?.device else { return notices + [.noOutput] }
        let sink = inventory.sink(named: status.playback.running?.device) ?? chosen
        if sink.isMuted { notices.append(.outputMuted(name: sink.name)) }
        if sink.volume == 0 { notices.append(.outputVolumeZero(name: sink.name)) }
        if sink.isNetwork { notices.append(.networkOutput(name: sink.name)) }
        return notices
    }

    private func inputNotices(_ inventory: DeviceInventory) -> [DeviceNotice] {
        var notices: [DeviceNotice] = []
        if let name = choice.awaitedSource { notices.append(.standIn(for: name, isInput: true)) }
        guard let chosen = choice.source?.device else { return notices + [.noInput] }
        let source = inventory.source(named: status.capture.running?.device) ?? chosen
        if source.isMuted { notices.append(.inputMuted(name: source.name)) }
        if source.volume == 0 { notices.append(.inputVolumeZero(name: source.name)) }
        if choice.microphoneIsElsewhere, choice.sink?.device.isBluetooth == true {
            notices.append(.microphoneElsewhere(name: source.name))
        }
        return notices
    }

    private func streamNotices(_ inventory: DeviceInventory) -> [DeviceNotice] {
        inventory.ownStreams.compactMap { stream in
            let index = stream.isCapture ? status.capture.running?.index : status.playback.running?.index
            guard let index, stream.index == index, stream.isMuted || stream.volume == 0 else { return nil }
            return stream.isCapture ? .captureStreamMuted(index: index) : .playbackStreamMuted(index: index)
        }
    }

    private var routeNotices: [DeviceNotice] {
        var notices: [DeviceNotice] = []
        switch choice.routeOutcome {
        case .asWished: break
        case .singleOutput: notices.append(.singleOutput)
        case .switchedPort(let sink, let port): notices.append(.portSwitched(sink: sink, port: port))
        }
        if let profile = choice.switchedProfile { notices.append(.profileSwitched(profile)) }
        if isStalled { notices.append(.stalled) }
        return notices
    }
}
