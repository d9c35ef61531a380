import Primitives
import TestSupport

/// An ear at a core's speaker.
final class Ear {
    private let recorder: PulseRecorder
    private var recent = ToneMeter([])

    /// Listens to what the core called `name` plays.
    init(_ pulse: PrivatePulse, at name: String) throws {
        recorder = try PulseRecorder(pulse, source: "\(name)_spk.monitor")
    }

    /// The next `seconds` of sound.
    func listen(seconds: Double) -> ToneMeter {
        ToneMeter(recorder.record(Int(seconds * 48_000)))
    }

    /// Whether the tone comes to be heard, for a tenth of a second.
    func hears(_ hz: Double, within limit: Duration = .seconds(5)) -> Bool {
        awaitTenth(within: limit) { $0.amplitude(atHz: hz) > 0.1 }
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
    func fallsSilent(within limit: Duration = .seconds(5)) -> Bool {
        var quiet = 0
        return recorder.awaitBlock(within: limit) { block in
            quiet = block.peak < 0.002 ? quiet + 1 : 0
            return quiet >= 50
        } != nil
    }
}

extension ToneMeter {
    /// Each whole tenth of a second.
    var tenths: [ToneMeter] {
        (0..<samples.count / 4800).map { ToneMeter(Array(samples[$0 * 4800..<($0 + 1) * 4800])) }
    }

    /// The amplitude of a tone in most tenths of a second: a buffer that stretches leaves out or repeats whole periods,
    /// and most tenths have none of that.
    func medianAmplitude(atHz hz: Double) -> Double {
        tenths.map { $0.amplitude(atHz: hz) }.median
    }
}

extension [Double] {
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
