import Primitives
import Testing

@testable import Core

@Suite struct CallLifecycleTests {
    private let now = MonoTime.zero

    private func connected() -> CallLifecycle {
        var call = CallLifecycle(isRinging: false)
        _ = call.request(.start, token: 1, at: now)
        _ = call.signalingConnected()
        return call
    }

    @Test func aStartIsFulfilledWhenTheRoomLetsUsIn() {
        var call = CallLifecycle(isRinging: false)
        #expect(call.request(.start, token: 1, at: now) == [.connect])
        #expect(call.signalingConnected() == [.fulfil(1)])
        #expect(call.phase == .connected)
        #expect(call.deadline == nil)
    }

    /// L44–L47: not when the link is up, but when media are, and once.
    @Test func anAnswerIsFulfilledOnceAndOnlyWithMedia() {
        var call = CallLifecycle(isRinging: true)
        #expect(call.request(.answer, token: 1, at: now) == [.connect])
        #expect(call.signalingConnected().isEmpty)
        #expect(call.mediaConnected() == [.fulfil(1)])
        #expect(call.mediaConnected().isEmpty)
    }

    @Test func anAnswerThatTakesTooLongFailsAndCleansUp() {
        var call = CallLifecycle(isRinging: true, patience: .seconds(10))
        _ = call.request(.answer, token: 1, at: now)
        #expect(call.tick(at: now + .seconds(9)).isEmpty)
        let effects = call.tick(at: now + .seconds(10))
        #expect(effects.prefix(2) == [.leave, .stopMedia])
        #expect(effects.contains(.fail(1, CallError(.timeout, "nobody answered within 10 s"))))
        #expect(call.isEnded)
    }

    @Test func aCallThatDoesNotRingCannotBeAnswered() {
        var call = connected()
        guard case .fail(2, let error)? = call.request(.answer, token: 2, at: now).first else {
            Issue.record("it was answered")
            return
        }
        #expect(error.code == .wrongPhase)
    }

    /// L50–L54: connections first, then media, the end reported last; again is the same wish.
    @Test func endIsOrderedAndIdempotent() {
        var call = connected()
        #expect(call.request(.end(), token: 2, at: now) == [.fulfil(2), .leave, .stopMedia, .ended("you left")])
        #expect(call.request(.end(), token: 3, at: now) == [.fulfil(3)])
        #expect(call.hasBegun)
        #expect(call.closed("the room closed").isEmpty)
    }

    @Test func anEndFailsWhatIsPending() {
        var call = CallLifecycle(isRinging: false)
        _ = call.request(.start, token: 1, at: now)
        let effects = call.closed("wrong token")
        #expect(effects == [.leave, .stopMedia, .fail(1, CallError(.ended, "wrong token")), .ended("wrong token")])
    }

    /// L49.
    @Test func holdingTwiceIsHoldingOnce() {
        var call = connected()
        #expect(call.request(.setHeld(true), token: 2, at: now) == [.hold(true), .fulfil(2)])
        #expect(call.request(.setHeld(true), token: 3, at: now) == [.fulfil(3)])
        #expect(call.request(.setHeld(false), token: 4, at: now) == [.hold(false), .fulfil(4)])
    }

    @Test func lostSignallingKeepsTheCall() {
        var call = connected()
        #expect(call.signalingLost().isEmpty)
        #expect(call.phase == .reconnecting)
        #expect(call.signalingConnected().isEmpty)
        #expect(call.phase == .connected)
    }

    @Test func aWishOnAnEndedCallFailsWithTheReason() {
        var call = connected()
        _ = call.closed("the room closed")
        guard case .fail(5, let error)? = call.request(.setHeld(true), token: 5, at: now).first else {
            Issue.record("an ended call was held")
            return
        }
        #expect(error.description.contains("the room closed"))
    }
}
