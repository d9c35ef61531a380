import Codecs
import MediaEngine
import Primitives
import Testing

/// What is sent of silence after speech: all of a pause, little of what lasts.
@Suite struct SilenceTests {
    private let voice = Rig.tone(300, amplitude: 0.2)

    private func rig(complexity: Int, milliseconds: Int = 20) throws -> Rig {
        var options = OpusEncoder.Options()
        options.complexity = complexity
        options.frameDuration = .milliseconds(milliseconds)
        let rig = Rig()
        rig.pipeline.setEncoder(try OpusEncoder(options))
        return rig
    }

    /// Soft noise of about −64 dBov, which no microphone is without.
    private func noise() -> (Int) -> Float {
        var random = SplitMix64(seed: 5)
        return { _ in Float(0.0006 * random.normal()) }
    }

    @Test(arguments: [5, 9], [10, 20, 60])
    func nothingOfAPauseInsideSpeechIsLost(complexity: Int, milliseconds: Int) throws {
        let rig = try rig(complexity: complexity, milliseconds: milliseconds)
        for _ in 0..<4 {
            _ = rig.run(frames: 72, voice)
            _ = rig.run(frames: 48, noise())
            _ = rig.run(frames: 72, voice)
            _ = rig.run(frames: 48)
        }
        #expect(rig.packets.count == 4 * 240 * 10 / milliseconds)
        #expect(rig.packets.dropFirst().allSatisfy { !$0.header.marker })
    }

    @Test(arguments: [5, 9], [false, true])
    func longSilenceIsHardlySent(complexity: Int, isDigital: Bool) throws {
        let rig = try rig(complexity: complexity)
        _ = rig.run(frames: 100, voice)
        _ = rig.run(frames: 140, isDigital ? { _ in 0 } : noise())
        rig.forgetPackets()
        _ = rig.run(frames: 500, isDigital ? { _ in 0 } : noise())
        #expect(1...17 ~= rig.packets.count, "at most 10 in 3 s, as the codec has it")
        rig.forgetPackets()
        _ = rig.run(frames: 50, voice)
        #expect(rig.packets.count == 25, "the voice is sent from its first frame")
        #expect(rig.packets.first?.header.marker == true)
    }
}
