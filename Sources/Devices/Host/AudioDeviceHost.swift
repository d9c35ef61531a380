package import MediaEngine
package import Primitives

/// The sound devices of the program: the sound server's where there are any, and a clock of our own where there are
/// none, so that a call goes on whatever becomes of the server.
///
/// Everything is called on the engine thread. News comes on other threads: `wake` is called there, and has `process`
/// called on the engine thread; `process` is also due at `deadline`.
package final class AudioDeviceHost: AudioDevice {
    /// How often the server's clock is looked at during a call.
    private static let checkInterval = Duration.milliseconds(250)

    package private(set) var state = AudioDeviceState()
    /// What the server has; `nil`: there is no server.
    package private(set) var inventory: DeviceInventory?
    /// When `process` is wanted next; `nil`: only when woken.
    package private(set) var deadline: MonoTime?

    private let inbox: DeviceInbox
    private let server: PulseServer
    private let device: PulseDevice
    private let null: NullDevice
    private var selection = DeviceSelection()
    private var choice = DeviceChoice()
    /// Whether something changed that the choice of devices depends on.
    private var needsChoice = false
    private var wishes = DeviceWishes()
    private var client: (any AudioClient)?
    private var capture = false
    private var status = PulseDevice.Status()
    private var lostReason: String?
    private var clock = AudioDeviceState.Clock.none
    /// The state as it was when `process` last told of it.
    private var reported = AudioDeviceState()
    private var stall = StallWatch()
    private var health = HealthReader()

    /// `server`: a server string as PulseAudio knows it; `nil`: the user's own server.
    package init(
        identity: ApplicationIdentity, server serverString: String? = nil, wanted: WantedLatency = WantedLatency(),
        wake: @escaping @Sendable () -> Void
    ) {
        let inbox = DeviceInbox(wake: wake)
        self.inbox = inbox
        server = PulseServer(identity: identity, server: serverString) { inbox.put($0) }
        device = PulseDevice(identity: identity, server: serverString, wanted: wanted) { inbox.put($0) }
        null = NullDevice()
        device.setTargets(sink: .none, source: .none)
    }

    /// Counters of what is played. Any thread.
    package var playbackCounters: StreamCounters { device.playbackCounters }
    /// Counters of what is captured. Any thread.
    package var captureCounters: StreamCounters { device.captureCounters }
    /// Ticks of our own clock that came late, since `init`. Any thread.
    package var lateTickCount: Int { null.lateTickCount }

    /// Starts to look for the server, and keeps the list of devices from then on, in a call or not.
    package func open() {
        server.open()
    }

    /// Ends both connections. Nothing can follow.
    package func close() {
        stop()
        server.close()
        device.close()
    }

    /// Goes to another server, such as the one of the console that attached.
    package func setServer(_ serverString: String?) {
        lostReason = nil
        inventory = nil
        status = PulseDevice.Status()
        server.setServer(serverString)
        device.setTargets(sink: .none, source: .none)
        device.setServer(serverString)
        settle(at: .now())
    }

    /// What the settings and the session want; it is followed at once.
    package func setWishes(_ wishes: DeviceWishes) {
        guard wishes != self.wishes else { return }
        self.wishes = wishes
        needsChoice = true
        settle(at: .now())
    }

    package func start(_ client: any AudioClient, capture: Bool) {
        stop()
        self.client = client
        self.capture = capture
        needsChoice = true
        server.open()
        device.open(capture: capture)
        settle(at: .now())
    }

    package func setCapture(_ isOpen: Bool) {
        capture = isOpen
        if client != nil { device.setCapture(isOpen) }
        settle(at: .now())
    }

    /// Stops calling the client, releases the devices, and undoes what was switched for the call.
    package func stop() {
        guard client != nil else { return }
        null.stop()
        device.stop()
        client = nil
        clock = .none
        if let inventory { selection.end(inventory).forEach(server.perform) }
        selection = DeviceSelection()
        choice = DeviceChoice()
        settle(at: .now())
    }

    /// Takes the news, moves the call's clock where it belongs, and returns what happened.
    package func process(at now: MonoTime) -> [AudioDeviceEvent] {
        var events: [AudioDeviceEvent] = []
        let news = inbox.take()
        if let status = news.status { self.status = status }
        for event in news.events { take(event, into: &events) }
        settle(at: now)
        events += changes(from: reported, to: state)
        reported = state
        events += health.read(
            playback: playbackCounters, capture: captureCounters, lateTickCount: lateTickCount,
            isStalled: stall.isStalled, at: now)
        return events
    }

    private func take(_ event: PulseServer.Event, into events: inout [AudioDeviceEvent]) {
        switch event {
        case .inventory(let inventory):
            self.inventory = inventory
            lostReason = nil
            needsChoice = true
            events.append(.inventoryChanged)
        case .lost(let reason):
            inventory = nil
            lostReason = reason
            device.setTargets(sink: .none, source: .none)
            events.append(.inventoryChanged)
        case .refused(let command, let reason):
            events.append(.refused(command, reason: reason))
        }
    }

    private func settle(at now: MonoTime) {
        if needsChoice, client != nil, let inventory {
            needsChoice = false
            choice = selection.update(inventory, wishes)
            choice.commands.forEach(server.perform)
            device.setTargets(sink: choice.sink?.target ?? .none, source: choice.source?.target ?? .none)
        }
        moveClock(at: now)
        deadline = client == nil ? nil : now + Self.checkInterval
        let report = StateReport(
            inventory: inventory, lostReason: lostReason, choice: choice, status: status, clock: clock,
            isCapturing: capture, isStalled: stall.isStalled)
        state = report.state
    }

    /// The client has one clock at a time: it is taken from one before it is given to the other.
    private func moveClock(at now: MonoTime) {
        guard let client else { return }
        let runs = status.isConnected && (status.playback.running != nil || status.capture.running != nil)
        stall.update(
            frameCount: playbackCounters.frameCount &+ captureCounters.frameCount, isExpected: runs, at: now)
        let next: AudioDeviceState.Clock = runs && !stall.isStalled ? .server : .own
        guard next != clock else { return }
        clock = next
        if next == .server {
            null.stop()
            device.attach(client)
        } else {
            device.attach(nil)
            null.start(client, capture: false)
        }
    }

    private func changes(from before: AudioDeviceState, to after: AudioDeviceState) -> [AudioDeviceEvent] {
        guard before != after else { return [] }
        var events = [AudioDeviceEvent.stateChanged]
        if before.route != after.route { events.append(.routeChanged(after.route)) }
        if before.input.isRunning != after.input.isRunning {
            events.append(.microphoneChanged(isOpen: after.input.isRunning))
        }
        return events
    }
}
