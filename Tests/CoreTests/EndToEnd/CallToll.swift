import ControlProtocol
import Primitives
import TestSupport
import Testing

/// What a while of a call of two was like: what each heard, and what had to be made up.
struct CallToll {
    /// What a and b heard.
    private var heardByA = ToneMeter([])
    private var heardByB = ToneMeter([])
    /// Samples that were made up at both sides in each second, by the W3C's `concealedSamples`.
    private var concealedSamples: [Int] = []
    /// Ticks of a's engine and devices that came late.
    private let lateTicks: Int
    /// By how much the memory of a's core grew, in bytes.
    let growth: Int

    /// Listens to both sides of the call for as long as `isGoingOn`.
    init(_ pair: TonePair, while isGoingOn: () -> Bool) throws {
        let before = try Mark(pair)
        var concealed = before.concealedSamples
        while isGoingOn() {
            for _ in 0..<10 {
                heardByA.samples += pair.earA.listen(seconds: 0.1).samples
                heardByB.samples += pair.earB.listen(seconds: 0.1).samples
            }
            let now = try Mark.concealedSamples(pair)
            concealedSamples.append(now - concealed)
            concealed = now
        }
        let after = try Mark(pair)
        lateTicks = after.lateTicks - before.lateTicks
        growth = after.residentBytes - before.residentBytes
    }

    /// The share of tenths of a second that lack the tone.
    private var missing: Double {
        let heard =
            heardByA.tenths.map { $0.amplitude(atHz: TonePair.hzOfB) }
            + heardByB.tenths.map { $0.amplitude(atHz: TonePair.hzOfA) }
        return Double(heard.count { $0 < 0.1 }) / Double(max(heard.count, 1))
    }

    private var concealed: Double {
        Double(concealedSamples.reduce(0, +)) / Double(max(heardByA.samples.count + heardByB.samples.count, 1))
    }

    /// Expects that nobody heard anything of it. What a busy machine does to a call by itself is allowed for, but only
    /// when it is measured: `control` is asked for as long a while, as busy, in which the call's cores are left alone.
    func expectNothingHeard(control: () throws -> CallToll) throws {
        #expect(heardByA.samples.count > 48_000 && heardByB.samples.count > 48_000)
        #expect(missing < 0.05, "of the tones")
        guard concealed > 0 || lateTicks > 0 else { return }
        let control = try control()
        // A busy machine is never twice the same: a moment of its own is borne, what comes again and again is not.
        #expect(disturbed <= control.disturbed + 0.5, "of the seconds")
        #expect(concealed <= 2 * control.concealed + 0.02)
        #expect(lateTicks <= 2 * control.lateTicks + 2 * concealedSamples.count)
    }

    /// The share of seconds in which something was made up.
    private var disturbed: Double {
        Double(concealedSamples.count { $0 > 0 }) / Double(max(concealedSamples.count, 1))
    }

    /// The counters at one moment.
    private struct Mark {
        let concealedSamples: Int
        let lateTicks: Int
        let residentBytes: Int

        init(_ pair: TonePair) throws {
            concealedSamples = try Self.concealedSamples(pair)
            lateTicks = try pair.a.nextStatistics().box.lateTicks
            residentBytes = try pair.a.residentBytes()
        }

        static func concealedSamples(_ pair: TonePair) throws -> Int {
            try pair.a.concealedSamples() + pair.b.concealedSamples()
        }
    }
}
