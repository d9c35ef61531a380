import Primitives
import TestSupport

/// An ear at a core's or a browser's speaker.
final class Ear {
    private let recorder: PulseRecorder
    /// The tone in each one's microphone.
    private let tones: [String: Double]
    private var recent = ToneMeter([])

    /// Listens to what the one called `name` plays.
    init(_ pulse: PrivatePulse, at name: String, tones: [String: Double] = [:]) throws {
        recorder = try PulseRecorder(pulse, source: "\(name)_spk.monitor")
        self.tones = tones
    }

    /// The next `seconds` of sound.
    func listen(seconds: Double) -> ToneMeter {
        ToneMeter(recorder.record(Int(seconds * 48_000)))
    }

    /// Whether the tone comes to be heard, for a tenth of a second.
    func hears(_ hz: Double, within limit: Duration = .seconds(20)) -> Bool {
        awaitTenth(within: limit) { $0.amplitude(atHz: hz) > 0.1 }
    }

    /// Whether exactly the tones of `names` come to be heard, for a tenth of a second.
    func hears(only names: Set<String>, within limit: Duration = .seconds(20)) -> Bool {
        awaitTenth(within: limit) { heard in
            tones.allSatisfy { name, hz in
                names.contains(name) ? heard.amplitude(atHz: hz) > 0.05 : heard.amplitude(atHz: hz) < 0.01
            }
        }
    }

    /// Whether a tenth of a second comes that `condition` holds of.
    func awaitTenth(within limit: Duration, where condition: (ToneMeter) -> Bool) -> Bool {
        recent = ToneMeter([])
        return recorder.awaitBlock(within: limit) { block in
            recent = ToneMeter(Array((recent.samples + block.samples).suffix(4800)))
            return recent.samples.count == 4800 && condition(recent)
        } != nil
    }

    /// Whether it becomes silent: half a second of it.
    func fallsSilent(within limit: Duration = .seconds(20)) -> Bool {
        var quiet = 0
        return recorder.awaitBlock(within: limit) { block in
            quiet = block.peak < 0.002 ? quiet + 1 : 0
            return quiet >= 50
        } != nil
    }
}
