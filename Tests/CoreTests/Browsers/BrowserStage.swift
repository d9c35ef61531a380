import ControlProtocol
import Primitives
import TestSupport
import Testing

/// A core and browsers on one private sound server and one private network, with a tone in each microphone and an ear at
/// each speaker.
final class BrowserStage {
    static let coreHz = 440.0
    static let guestHz = 620.0
    static let otherHz = 890.0

    let network: NetworkNamespace
    let pulse: PrivatePulse
    let core: SoundingCore
    let chromium: Chromium
    let coreEar: ToneEar
    let guestEar: ToneEar
    private let players: [PulsePlayer]

    init(settings: [String: [String]] = [:]) throws {
        let names = ["core", "guest", "other"]
        network = try NetworkNamespace()
        let pulse = try PrivatePulse(sinks: [])
        for name in names.flatMap({ ["\($0)_mic", "\($0)_spk"] }) {
            _ = try pulse.loadSink(name, "device.description=\(name)")
        }
        self.pulse = pulse
        players = try zip(names, [Self.coreHz, Self.guestHz, Self.otherHz]).map { name, hz in
            _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic")
            let tone = ToneMeter.tone(frequencyHz: hz, amplitude: 0.25, seconds: 240)
            return try PulsePlayer(pulse, sink: "\(name)_mic", samples: tone)
        }
        core = try SoundingCore("core", pulse: pulse, settings: settings, network: network)
        chromium = try Chromium(network: network, pulse: pulse)
        coreEar = ToneEar(try PulseRecorder(pulse, source: "core_spk.monitor"))
        guestEar = ToneEar(try PulseRecorder(pulse, source: "guest_spk.monitor"))
    }
}

/// An ear at a speaker.
final class ToneEar {
    private let recorder: PulseRecorder

    init(_ recorder: PulseRecorder) {
        self.recorder = recorder
    }

    /// Whether the tone comes to be heard, for a tenth of a second.
    func hears(_ hz: Double, within limit: Duration = .seconds(8)) -> Bool {
        var window = ToneMeter([])
        return recorder.awaitBlock(within: limit) { block in
            window = ToneMeter(Array((window.samples + block.samples).suffix(4800)))
            return window.samples.count == 4800 && window.amplitude(atHz: hz) > 0.05
        } != nil
    }

    /// Whether it becomes silent: half a second of it.
    func fallsSilent(within limit: Duration = .seconds(8)) -> Bool {
        var quiet = 0
        return recorder.awaitBlock(within: limit) { block in
            quiet = block.peak < 0.002 ? quiet + 1 : 0
            return quiet >= 50
        } != nil
    }
}

extension BrowserPage {
    /// Opens a link and joins by it as a person would.
    func join(_ link: String, as name: String, microphone: String, speaker: String) throws {
        try open(link)
        guard try waits(for: "document.querySelector(\"#microphone option:nth-child(3)\")"),
            try choose("microphone", microphone), try choose("speaker", speaker)
        else {
            throw BrowserFailure(description: "no such devices: \(try text("microphone")); \(try text("speaker"))")
        }
        try fill("name", name)
        try evaluate("document.querySelector(\"#join button\").click()")
        guard try waits(for: "!document.getElementById(\"call\").hidden") else {
            throw BrowserFailure(description: "not in the call: \(try text("farewell-text"))")
        }
    }
}
