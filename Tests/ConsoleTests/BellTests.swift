import ControlProtocol
import Primitives
import Testing

@testable import Console

/// When the terminal's bell sounds.
struct BellTests {
    private func bells(_ fixture: Fixture) -> Int {
        fixture.effects.count { $0 == .bell }
    }

    @Test func itSoundsWhileSomebodyRingsAndNotTooOften() throws {
        var fixture = try Fixture.attached()
        try fixture.change { $0.calls["c9"] = Fixture.ringing }
        #expect(bells(fixture) == 1)
        for _ in 0..<39 { fixture.wait(.milliseconds(100)) }
        #expect(bells(fixture) == 1)
        fixture.wait(.milliseconds(100))
        #expect(bells(fixture) == 2)
        try fixture.change { $0.calls = [:] }
        fixture.wait(.seconds(20))
        #expect(bells(fixture) == 2, "it is over")
    }

    @Test func callsThatComeAndGoDoNotMakeItSoundMoreOften() throws {
        var fixture = try Fixture.attached()
        for _ in 0..<20 {
            try fixture.change { $0.calls["c9"] = Fixture.ringing }
            try fixture.change { $0.calls = [:] }
            fixture.wait(.milliseconds(100))
        }
        #expect(bells(fixture) == 1)
    }

    @Test func itSoundsOnceForWhoKnocks() throws {
        var fixture = try Fixture.inCall()
        try fixture.change { $0.calls["c1"]?.knocks = [Fixture.knock("eva")] }
        for _ in 0..<10 { fixture.wait(.seconds(1)) }
        #expect(bells(fixture) == 1)
        try fixture.change { $0.calls["c1"]?.knocks = [Fixture.knock("gil")] }
        #expect(bells(fixture) == 2)
    }

    @Test func itCanBeSwitchedOff() throws {
        var fixture = try Fixture.attached()
        fixture.model.hasBell = false
        try fixture.change { $0.calls["c9"] = Fixture.ringing }
        fixture.wait(.seconds(10))
        #expect(bells(fixture) == 0)
    }
}
