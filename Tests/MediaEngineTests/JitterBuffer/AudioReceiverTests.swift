import MediaEngine
import Primitives
import Testing

/// The whole receiver behind a simulated link.
@Suite struct AudioReceiverTests {
    @Test func aPerfectLinkAddsAtMostTwentyMilliseconds() {
        let rig = ReceiverRig(toneHz: 440)
        rig.settle(seconds: 5)
        let sound = rig.run(seconds: 5)
        let statistics = rig.statistics
        #expect(statistics.currentDelayMilliseconds <= 20)
        #expect(statistics.jitterBufferDelaySeconds / Double(statistics.jitterBufferEmittedCount) <= 0.025)
        #expect(abs(Sound.frequency(of: sound) - 440) < 0.1)
        #expect(Sound.roughness(of: sound) < 1.1 * Sound.roughness(ofToneHz: 440))
        #expect(statistics.concealedSamples == 0)
    }

    @Test func nothingIsPlayedBeforeTheFirstPacket() {
        let rig = ReceiverRig(toneHz: 440)
        rig.sending.isMuted = true
        #expect(Sound.rms(rig.run(seconds: 1)) == 0)
        #expect(rig.statistics.totalSamplesReceived == 0)
    }
}
