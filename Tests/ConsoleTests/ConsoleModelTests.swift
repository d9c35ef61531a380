import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

struct ConsoleModelTests {
    @Test func attachingSubscribesAndOffersTheSoundServerAndTheDisplay() {
        var fixture = Fixture()
        fixture.model.attached(mismatch: nil, pulseServer: "unix:/x", display: ":7", at: fixture.now)
        fixture.wait(.zero)
        #expect(fixture.requests == ["core.subscribe console=true display=\":7\" pulseServer=\"unix:/x\""])
    }

    @Test func aLostCoreMakesEverythingUnknownAndTheReturnMendsIt() throws {
        var fixture = try Fixture.inCall()
        fixture.model.lost("gone", at: fixture.now)
        #expect(fixture.screen()[1].hasPrefix("█ UNKNOWN (core lost) █"))
        #expect(fixture.model.level(of: "p3") == nil && fixture.model.speakingID == nil)
        try fixture.press("m")
        #expect(fixture.requests.isEmpty)
        #expect(fixture.screen().contains { $0.contains("m mute: the core is lost") })
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        fixture.wait(.zero)
        #expect(fixture.requests == ["core.subscribe console=true"])
        #expect(fixture.screen()[1].hasPrefix("█ UNKNOWN (asking the core) █"))
        try fixture.change { _ in }
        #expect(fixture.screen()[1].hasPrefix("█ MIC LIVE █"))
    }

    @Test func aWishDoesNotOutliveTheCore() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("m")
        fixture.model.lost("gone", at: fixture.now)
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        #expect(fixture.model.microphoneWish == nil)
    }

    @Test func aMissedPatchAsksForTheWholeState() throws {
        var fixture = try Fixture.inCall()
        let patch = Update.patch(revision: 99, .object([:]))
        fixture.receive(try patch.message())
        #expect(fixture.requests == ["core.state"])
        var state = fixture.model.state
        state.core.host = "other"
        let whole: JSONValue = .object(["revision": .integer(99), "state": try JSONValue(encoding: state)])
        try fixture.answer("core.state", whole)
        #expect(fixture.model.state.core.host == "other")
    }

    @Test func aCoreOfAnotherVersionIsAskedForItsStateAndOnlyMutes() throws {
        var fixture = Fixture()
        fixture.model.attached(mismatch: "only mute and leave work", pulseServer: nil, at: fixture.now)
        fixture.wait(.zero)
        #expect(fixture.requests == ["core.state"])
        let state = try Fixture.inCall().model.state
        try fixture.answer("core.state", .object(["revision": .integer(1), "state": try JSONValue(encoding: state)]))
        fixture.wait(.seconds(1))
        #expect(fixture.requests == ["core.state", "core.state"])
        try fixture.press("Mm")
        #expect(fixture.requests.last == "audio.mute on=true")
        #expect(fixture.requests.count == 3)
        #expect(fixture.screen().contains { $0.contains("the core is of another version") })
    }

    @Test func metersFallToNothingWithinASecondOfTheLastLevel() throws {
        var fixture = try Fixture.inCall()
        #expect(fixture.model.level(of: "p3") == -18)
        let deadline = try #require(fixture.model.deadline)
        #expect(deadline <= fixture.now.mono + .milliseconds(1001))
        fixture.wait(.milliseconds(1001))
        #expect(fixture.model.level(of: "p3") == nil)
        #expect(fixture.screen().contains { $0.contains("speaking: quiet") || $0.contains(" quiet ") })
    }

    @Test func aPeakStandsAndThenFalls() {
        var peak = PeakHold()
        var now = MonoTime.zero
        peak.update(levelDBov: -10, at: now)
        now += .milliseconds(1500)
        peak.update(levelDBov: -40, at: now)
        #expect(peak.levelDBov == -10)
        now += .milliseconds(100)
        peak.update(levelDBov: -40, at: now)
        #expect(peak.levelDBov == -13)
        for _ in 0..<20 {
            now += .milliseconds(100)
            peak.update(levelDBov: -40, at: now)
        }
        #expect(peak.levelDBov == -40)
    }

    @Test func theDeadlineIsTheNextSecondInACallAndNoneAtHome() throws {
        var fixture = try Fixture.inCall()
        fixture.wait(.milliseconds(1400))
        #expect(fixture.model.deadline == fixture.now.mono + .milliseconds(600))
        let home = try Fixture.attached()
        #expect(home.model.deadline == nil)
    }

    @Test func theMessageLogIsBounded() {
        var log = MessageLog()
        for number in 0..<2000 { log.add("\(number)", .plain, at: 0) }
        #expect(log.messages.count == MessageLog.limit && log.messages.last?.text == "1999")
    }

    @Test(arguments: [
        (MicrophoneState.live, "█ MIC LIVE █"), (.muted, "█ MUTED █"), (.closed, "█ MIC CLOSED █"),
        (.noMicrophone, "█ NO MIC █"), (.onHold, "█ ON HOLD █"),
    ])
    func theMicrophoneLineHasAWordForEveryState(state: MicrophoneState, badge: String) throws {
        let fixture = try Fixture.inCall { $0.audio.microphone = state }
        #expect(fixture.screen()[1].hasPrefix(badge))
        let other = try Fixture.inCall { $0.audio.microphone = state == .live ? .muted : .live }
        #expect(!other.screen()[1].hasPrefix(badge))
    }

    @Test(arguments: [
        (MicrophoneWarning.mutedByServer, "the sound server mutes the mic"), (.zeroVolume, "the mic's volume is 0"),
        (.digitalSilence, "the mic gives only zeros"), (.speakingWhileMuted, "you speak while muted"),
    ])
    func whatKeepsOthersFromHearingIsNamed(warning: MicrophoneWarning, words: String) throws {
        let fixture = try Fixture.inCall { $0.audio.warnings = [warning] }
        #expect(fixture.screen()[1].contains(words))
    }

    @Test func rubbishFromTheCoreIsPassedOver() throws {
        var fixture = try Fixture.inCall()
        let before = fixture.screen()
        fixture.receive(.request(id: nil, method: "levels", params: .string("loud")))
        fixture.receive(.request(id: nil, method: "unheard-of", params: .object([:])))
        fixture.receive(.result(id: .integer(4711), .null))
        fixture.receive(.error(id: .null, .failed("x")))
        #expect(fixture.screen() == before)
    }
}
