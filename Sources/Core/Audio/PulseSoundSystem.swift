import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor

/// The sound server's devices, chosen by the settings, with a clock of our own where there are none.
@EngineActor
final class PulseSoundSystem: SoundSystem {
    var onChange: (() -> Void)?
    private let settings: Settings
    private let host: AudioDeviceHost
    private let bell: Doorbell?
    private var timer: EngineTimer?
    private var session = AudioSession()
    private var isActive = false
    private var capture = false
    private var ringer: Ringer?
    /// The server that a console offered; the setting comes first.
    private var offeredServer: String?

    private static let callName = "active"

    init(settings: Settings) {
        self.settings = settings
        let target = WakeTarget()
        let bell = Doorbell { target.system?.process() }
        self.bell = bell
        host = AudioDeviceHost(
            identity: ApplicationIdentity(version: CoreVersion.current), server: Self.server(settings, offered: nil),
            wanted: WantedLatency(), wake: Self.ringer(of: bell))
        timer = EngineTimer { [weak self] in self?.process() }
        target.system = self
        applyConfiguration()
        host.open()
    }

    private nonisolated static func ringer(of bell: Doorbell?) -> @Sendable () -> Void {
        { bell?.ring() }
    }

    private static func server(_ settings: Settings, offered: String?) -> String? {
        let configured = settings.string("audio.server")
        return configured.isEmpty ? offered : configured
    }

    var hasMicrophone: Bool {
        switch host.state.input {
        case .none, .failed: return false
        case .opening, .running: return true
        case .idle, .closed: return hasSource
        }
    }

    var hasSource: Bool {
        host.inventory?.sources.contains { !$0.isMonitor } ?? false
    }

    func activate(_ client: any AudioClient) {
        isActive = true
        perform(session.activate(for: Self.callName))
        host.start(client, capture: capture)
        process()
    }

    func deactivate() {
        isActive = false
        perform(session.deactivate(for: Self.callName))
        host.stop()
        process()
    }

    func setCapture(_ isOpen: Bool) {
        guard isOpen != capture else { return }
        capture = isOpen
        if isActive { host.setCapture(isOpen) }
        process()
    }

    func ring() -> Bool {
        let sink = settings.string("audio.ring-device")
        guard !sink.isEmpty else { return false }
        if ringer == nil { ringer = Ringer(server: Self.server(settings, offered: offeredServer), sink: sink) }
        return true
    }

    func stopRinging() {
        ringer?.stop()
        ringer = nil
    }

    func settingChanged(_ name: String) {
        switch name {
        case "audio.server": host.setServer(Self.server(settings, offered: offeredServer))
        case "audio.input", "audio.output", "audio.default-route": applyConfiguration()
        default: break
        }
        process()
    }

    func offer(server: String) {
        guard server != offeredServer, !isConnected else { return }
        offeredServer = server
        if settings.string("audio.server").isEmpty { host.setServer(server) }
        process()
    }

    func select(input: String?, output: String?) throws(RPCError) {
        guard let inventory = host.inventory else { return }
        if let input, input != "default", inventory.source(named: input) == nil {
            throw .failed("no microphone “\(input)”; hoot devices lists them")
        }
        if let output, output != "default", inventory.sink(named: output) == nil {
            throw .failed("no speaker “\(output)”; hoot devices lists them")
        }
    }

    func setRoute(_ route: Route.Kind?) throws(RPCError) -> Route.Kind {
        let current: Route.Kind = host.state.route == .receiver ? .receiver : .speaker
        let wished = route ?? (current == .speaker ? .receiver : .speaker)
        guard wished == current || host.state.canChangeRoute else {
            throw .failed("this machine has one output; there is no \(wished.rawValue) to go to")
        }
        do throws(AudioSessionError) {
            perform(try session.setRoute(wished == .receiver ? .receiver : .speaker))
        } catch {
            throw .failed(error.description)
        }
        process()
        return wished
    }

    private var isConnected: Bool {
        if case .running = host.state.server { true } else { false }
    }

    private func applyConfiguration() {
        var configuration = AudioSession.Configuration()
        configuration.defaultRoute = AudioRoute(rawValue: settings.string("audio.default-route"))
        perform(session.setConfiguration(configuration))
    }

    private func perform(_ action: AudioSessionAction) {
        let (input, output) = (settings.string("audio.input"), settings.string("audio.output"))
        host.setWishes(
            session.wishes(sink: output == "default" ? nil : output, source: input == "default" ? nil : input))
    }

    private func process() {
        let events = host.process(at: .now())
        timer?.arm(at: host.deadline)
        for event in events {
            if case .health(let kind, let count) = event {
                Log.warning("audio", "\(kind.rawValue): \(count) times since it was last told")
            }
            if case .refused(_, let reason) = event { Log.warning("audio", "the sound server refused: \(reason)") }
        }
        if !events.isEmpty { onChange?() }
    }
}

/// What consoles see of the devices.
extension PulseSoundSystem {
    var underrunCount: Int {
        host.playbackCounters.underflowCount + host.captureCounters.overflowCount
    }

    func describe(in state: inout AudioState) {
        switch host.state.server {
        case .searching: state.server.name = "looking for the sound server"
        case .absent(let reason): state.server.reason = reason
        case .running(let name, let version):
            state.server.isConnected = true
            state.server.name = "\(name) \(version)"
        }
        state.input = Self.device(host.state.input, standsInFor: host.state.awaitedInput)
        state.output = Self.device(host.state.output, standsInFor: host.state.awaitedOutput)
        state.route.current = host.state.route == .receiver ? .receiver : .speaker
        state.route.canSwitch = host.state.canChangeRoute
        state.route.note = host.state.notices.first(where: \.isAboutRoute)?.text
        state.processing = ProcessingState(processing)
    }

    /// What runs on the captured sound: what is set, where it makes sense.
    var processing: AudioProcessingSettings {
        let useful = host.state.usefulProcessing
        var processing = AudioProcessingSettings()
        processing.cancelsEcho = settings.bool("audio.echo-cancellation") && useful.cancelsEcho
        processing.suppressesNoise = settings.bool("audio.noise-suppression") && useful.suppressesNoise
        processing.controlsGain = settings.bool("audio.gain-control") && useful.controlsGain
        return processing
    }

    var problems: [Problem] {
        host.state.notices.map { Problem(code: $0.code, text: $0.text, command: $0.remedy) }
    }

    var warnings: [MicrophoneWarning] {
        host.state.notices.compactMap {
            switch $0 {
            case .inputMuted, .captureStreamMuted: .mutedByServer
            case .inputVolumeZero: .zeroVolume
            default: nil
            }
        }
    }

    var inventory: JSONValue {
        guard let inventory = host.inventory else {
            return .object([
                "inputs": .array([]), "outputs": .array([]), "note": .string("no sound server; hoot doctor says more"),
            ])
        }
        let inputs = inventory.sources.filter { !$0.isMonitor }
        return .object([
            "inputs": .array(inputs.map { entry($0, host.state.input) }),
            "outputs": .array(inventory.sinks.map { entry($0, host.state.output) }),
        ])
    }

    private func entry(_ device: SoundDevice, _ endpoint: AudioDeviceState.Endpoint) -> JSONValue {
        .object([
            "name": .string(device.name), "description": .string(device.description),
            "isUsed": .bool(Self.device(endpoint, standsInFor: nil)?.name == device.name),
        ])
    }

    private static func device(_ endpoint: AudioDeviceState.Endpoint, standsInFor awaited: String?) -> DeviceInUse? {
        switch endpoint {
        case .opening(let name, let description):
            DeviceInUse(name: name, description: description, standsInFor: awaited)
        case .running(let name, let description, let granted):
            DeviceInUse(
                name: name, description: description, standsInFor: awaited,
                latencyMs: granted.buffer.milliseconds.rounded(places: 1))
        case .idle, .closed, .none, .failed: nil
        }
    }
}

extension DeviceNotice {
    fileprivate var isAboutRoute: Bool {
        switch self {
        case .singleOutput, .portSwitched, .profileSwitched, .microphoneElsewhere: true
        default: false
        }
    }

    /// A stable word for scripts.
    fileprivate var code: String {
        switch self {
        case .noServer: "audio.server"
        case .noOutput: "audio.output"
        case .noInput: "audio.input"
        case .outputMuted, .outputVolumeZero, .playbackStreamMuted: "audio.output.silent"
        case .inputMuted, .inputVolumeZero, .captureStreamMuted: "audio.input.silent"
        case .standIn: "audio.stand-in"
        case .singleOutput, .portSwitched, .profileSwitched, .microphoneElsewhere, .networkOutput: "audio.route"
        case .stalled: "audio.stalled"
        }
    }
}

extension ProcessingState {
    init(_ settings: AudioProcessingSettings) {
        self.init()
        cancelsEcho = settings.cancelsEcho
        suppressesNoise = settings.suppressesNoise
        controlsGain = settings.controlsGain
    }
}

/// The way from the doorbell, which is made first, to the system.
@EngineActor
private final class WakeTarget {
    weak var system: PulseSoundSystem?
}
