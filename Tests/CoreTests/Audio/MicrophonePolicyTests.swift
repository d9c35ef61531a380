import ControlProtocol
import Primitives
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

    @Test func pushedItSendsOnlyWhileSomebodyTalks() {
        var pushed = policy { $0.talk = PushToTalk() }
        #expect(pushed.state == .muted && pushed.mutesPipeline && pushed.capturesDevice && pushed.whyNoTalk == nil)
        pushed.talk?.begin(.script, until: .zero)
        #expect(pushed.state == .live && !pushed.mutesPipeline)
        pushed.isMuted = true
        #expect(pushed.state == .muted && pushed.mutesPipeline, "mute wins")
    }

    @Test func whatSendsNothingCannotBePushed() {
        let obstacles: [(inout MicrophonePolicy) -> Void] = [
            { $0.talk = nil }, { $0.isMuted = true }, { $0.isClosed = true }, { $0.isHeld = true }, { $0.isHeld = nil },
            { $0.hasDevice = false }, { $0.listensOnly = true },
        ]
        for obstacle in obstacles {
            let pushed = policy {
                $0.talk = PushToTalk()
                obstacle(&$0)
            }
            #expect(pushed.whyNoTalk != nil)
        }
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
