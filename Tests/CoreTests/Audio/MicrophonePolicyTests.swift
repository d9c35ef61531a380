import ControlProtocol
import Testing

@testable import Core

@Suite struct MicrophonePolicyTests {
    private func policy(_ change: (inout MicrophonePolicy) -> Void) -> MicrophonePolicy {
        var policy = MicrophonePolicy()
        policy.hasDevice = true
        policy.isHeld = false
        change(&policy)
        return policy
    }

    @Test func inACallTheMicrophoneIsLive() {
        #expect(policy { _ in }.state == .live)
        #expect(policy { $0.isHeld = nil }.state == .idle)
    }

    /// Q8, A20, A21: mute keeps the device open, close releases it.
    @Test func muteKeepsTheDeviceOpenAndCloseReleasesIt() {
        let muted = policy { $0.isMuted = true }
        #expect(muted.state == .muted && muted.capturesDevice && muted.mutesPipeline)
        let closed = policy { $0.isClosed = true }
        #expect(closed.state == .closed && !closed.capturesDevice && closed.mutesPipeline)
    }

    @Test func theWishToBeMutedSurvivesHoldAndClose() {
        var held = policy {
            $0.isMuted = true
            $0.isHeld = true
        }
        #expect(held.state == .onHold)
        held.isHeld = false
        #expect(held.state == .muted)
        held.isClosed = true
        held.isClosed = false
        #expect(held.state == .muted)
    }

    @Test func withNoDeviceThereIsNoMicrophoneAndTheCallGoesOn() {
        #expect(policy { $0.hasDevice = false }.state == .noMicrophone)
    }

    @Test func withoutACallTheDeviceIsReleased() {
        #expect(!policy { $0.isHeld = nil }.capturesDevice)
    }

    @Test func forNobodyNothingIsEncodedAndTheMicrophoneIsLiveAllTheSame() {
        let alone = policy { $0.isAlone = true }
        #expect(alone.state == .live && alone.capturesDevice && alone.mutesPipeline)
    }

    @Test func itsMeterOpensItWithoutACallAndNothingIsSent() {
        let metered = policy {
            $0.isHeld = nil
            $0.isMetered = true
        }
        #expect(metered.capturesDevice && metered.mutesPipeline && metered.state == .idle)
        #expect(
            !policy {
                $0.isHeld = nil
                $0.isMetered = true
                $0.isClosed = true
            }.capturesDevice)
    }
}
