import MediaEngine
import Testing

@Suite struct MixerTests {
    @Test func soundsAddUp() {
        let mixer = Mixer(inputCount: 3)
        add(to: mixer, [0.1, 0.2, 0.3])
        #expect(mixed(mixer).allSatisfy { abs($0 - 0.6) < 1e-6 })
    }

    @Test func everyoneButOneIsTheMixForThatOne() {
        let mixer = Mixer(inputCount: 3)
        add(to: mixer, [0.1, 0.2, 0.3])
        for (input, expected) in [0.5, 0.4, 0.3].enumerated() {
            #expect(mixed(mixer, without: input).allSatisfy { abs($0 - Float(expected)) < 1e-6 })
        }
        #expect(mixed(mixer, without: 9).allSatisfy { abs($0 - 0.6) < 1e-6 })
    }

    @Test func clearedMixIsSilent() {
        let mixer = Mixer(inputCount: 2)
        add(to: mixer, [0.5, 0.5])
        mixer.clear()
        #expect(mixed(mixer).allSatisfy { $0 == 0 })
        #expect(mixed(mixer, without: 0).allSatisfy { $0 == 0 })
    }

    @Test func gainMovesWithoutAStep() {
        var ramp = GainRamp(1)
        var frame = [Float](repeating: 0.5, count: 480)
        ramp.target = 0
        frame.withUnsafeMutableBufferPointer { ramp.apply(to: $0) }
        let steps = zip(frame, frame.dropFirst()).map { abs($0 - $1) }
        #expect(steps.allSatisfy { $0 < 0.5 / 400 })
        #expect(abs(frame[479]) < 1e-5)
        #expect(ramp.isSilent)
        frame = .init(repeating: 0.5, count: 480)
        frame.withUnsafeMutableBufferPointer { ramp.apply(to: $0) }
        #expect(frame.allSatisfy { $0 == 0 })
    }

    private func add(to mixer: Mixer, _ values: [Float]) {
        mixer.clear()
        for (input, value) in values.enumerated() {
            var gain = GainRamp(1)
            var frame = [Float](repeating: value, count: 480)
            frame.withUnsafeMutableBufferPointer { mixer.add($0, gain: &gain, input: input) }
        }
    }

    private func mixed(_ mixer: Mixer, without input: Int? = nil) -> [Float] {
        var frame = [Float](repeating: 9, count: 480)
        frame.withUnsafeMutableBufferPointer { samples in
            if let input { mixer.mix(without: input, into: samples) } else { mixer.mix(into: samples) }
        }
        return frame
    }
}

@Suite struct PlaybackGainTests {
    @Test func rangeIsNothingToFourHundredPerCent() {
        #expect(PlaybackGain(percent: -5).linear == 0)
        #expect(PlaybackGain(percent: 1000).percent == 400)
        #expect(PlaybackGain(percent: .nan).percent == 100)
        #expect(abs(PlaybackGain(percent: 400).decibels - 12.04) < 0.01)
    }
}
