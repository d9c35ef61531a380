import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor

/// The devices as a call uses them.
@EngineActor
protocol SoundSystem: AnyObject {
    /// Called on the engine when devices, the server or the streams have changed.
    var onChange: (() -> Void)? { get set }
    /// Whether there is something to capture from.
    var hasMicrophone: Bool { get }
    /// Whether there is a microphone that could be opened, whatever became of the last try.
    var hasSource: Bool { get }
    /// Starts to call `client` (Q37); balanced by `deactivate`.
    func activate(_ client: any AudioClient)
    /// Stops to call the client and gives the devices back (Q39).
    func deactivate()
    func setCapture(_ isOpen: Bool)
    /// Rings at the speaker that is set for it, until `stopRinging`; `false`: none is.
    func ring() -> Bool
    func stopRinging()
    /// Adds what is known about devices to the state.
    func describe(in state: inout AudioState)
    /// What is missing, with what mends it.
    var problems: [Problem] { get }
    /// What at the sound server keeps others from hearing.
    var warnings: [MicrophoneWarning] { get }
    /// What runs on the captured sound.
    var processing: AudioProcessingSettings { get }
    /// Times that the devices ran dry.
    var underrunCount: Int { get }
    func settingChanged(_ name: String)
    /// The microphones and speakers there are, for `audio.devices`.
    var inventory: JSONValue { get }
    func select(input: String?, output: String?) throws(RPCError)
    /// `nil`: the other one.
    func setRoute(_ route: Route.Kind?) throws(RPCError) -> Route.Kind
    /// Offers the sound server of a console that attached.
    func offer(server: String)
}

/// No devices at all: the demonstration's sound, and the sound of its guests.
@EngineActor
final class NullSoundSystem: SoundSystem {
    var onChange: (() -> Void)?
    private let device: NullDevice
    private var isCapturing = false

    init(microphone: (any SampleSource)? = nil, speaker: (any SampleSink)? = nil) {
        device = NullDevice(microphone: microphone, speaker: speaker)
    }

    var hasMicrophone: Bool {
        true
    }

    var hasSource: Bool {
        true
    }

    func activate(_ client: any AudioClient) {
        device.start(client, capture: isCapturing)
    }

    func deactivate() {
        device.stop()
    }

    func setCapture(_ isOpen: Bool) {
        isCapturing = isOpen
        device.setCapture(isOpen)
    }

    func ring() -> Bool {
        false
    }

    func stopRinging() {}

    func describe(in state: inout AudioState) {
        state.server.name = "none: simulated devices"
        state.input = DeviceInUse(name: "null", description: "simulated microphone")
        state.output = DeviceInUse(name: "null", description: "simulated speaker")
    }

    var problems: [Problem] {
        []
    }

    var warnings: [MicrophoneWarning] {
        []
    }

    var processing: AudioProcessingSettings {
        .none
    }

    var underrunCount: Int {
        0
    }

    func settingChanged(_ name: String) {}

    var inventory: JSONValue {
        .object(["inputs": .array([]), "outputs": .array([]), "note": .string("the devices are simulated")])
    }

    func select(input: String?, output: String?) throws(RPCError) {
        throw .failed("the devices are simulated; there is nothing to choose")
    }

    func setRoute(_ route: Route.Kind?) throws(RPCError) -> Route.Kind {
        throw .failed("the devices are simulated; there is one output")
    }

    func offer(server: String) {}
}

extension AudioProcessingSettings {
    /// No stage runs.
    static let none: AudioProcessingSettings = {
        var settings = AudioProcessingSettings()
        settings.cancelsEcho = false
        settings.suppressesNoise = false
        settings.controlsGain = false
        return settings
    }()
}
