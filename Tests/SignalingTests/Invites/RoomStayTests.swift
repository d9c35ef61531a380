import Primitives
import Testing

@testable import Signaling

/// Expiry and renewal of those who are inside (FEATURES A12).
@Suite struct RoomStayTests {
    func bench(expiry: UInt64 = 100) -> RoomBench {
        var bench = RoomBench()
        bench.add("host", token: RoomBench.hostToken)
        let token = bench.issue(.guest, expiry: expiry)
        bench.add("ann", token: token)
        bench.add("bob")
        bench.forgetEvents()
        return bench
    }

    func end(_ name: String, in bench: RoomBench) -> RefusalCode? {
        if case .closed(.refused(let refusal)) = bench.events(of: name).last { refusal.code } else { nil }
    }

    @Test func theWelcomeTellsHowMuchTimeThereIs() {
        var bench = RoomBench()
        bench.now = .zero + .seconds(40)
        bench.add("ann", token: bench.issue(.guest, expiry: 100))
        guard case .welcome(let welcome) = bench.events(of: "ann").first else { return #expect(Bool(false)) }
        #expect(welcome.expiresIn == 60)
        bench.add("bob")
        guard case .welcome(let other) = bench.events(of: "bob").first else { return #expect(Bool(false)) }
        #expect(other.expiresIn == nil)
    }

    @Test func aMemberIsWarnedOnceThirtySecondsBeforeAndThenRemoved() {
        var bench = bench()
        bench.pass(.milliseconds(69_999))
        #expect(bench.events(of: "ann").isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.events(of: "ann") == [.expiring(seconds: 30)])
        bench.pass(.milliseconds(29_999))
        #expect(bench.events(of: "ann").count == 1 && bench.events(of: "bob").isEmpty)
        bench.pass(.milliseconds(1))
        #expect(end("ann", in: bench) == .expired)
        #expect(bench.events(of: "bob") == [.memberLeft(RoomBench.id("ann"), .expired)])
        #expect(bench.clients["bob"]?.machine.isInside == true)
    }

    @Test func whoComesBackLateIsWarnedAgain() {
        var bench = bench()
        bench.pass(.seconds(75))
        bench.cut("ann")
        bench.pass(.seconds(5))
        let warnings = bench.events(of: "ann").compactMap { if case .expiring(let left) = $0 { left } else { nil } }
        #expect(warnings.count == 2)
        #expect(warnings[1] > 20 && warnings[1] < 25)
    }

    @Test func aNewTokenOnTheSameConnectionKeepsTheSeat() {
        var bench = bench()
        bench.pass(.seconds(75))
        let token = bench.issue(.guest, isSingleUse: true, expiry: 500)
        bench.say("ann", .renew(token: token))
        #expect(bench.events(of: "ann").last == .renewed(expiresIn: 425))
        bench.pass(.seconds(100))
        #expect(bench.clients["ann"]?.machine.isInside == true && bench.events(of: "bob").isEmpty)
        bench.cut("ann")
        bench.pass(.seconds(2))
        #expect(bench.clients["ann"]?.machine.isInside == true, "it comes back with the new token")
        bench.add("chi", token: token)
        #expect(end("chi", in: bench) == .used)
        bench.pass(.seconds(400))
        #expect(bench.events(of: "ann").contains(.expiring(seconds: 30)))
        #expect(end("ann", in: bench) == .expired)
    }

    @Test func aTokenThatIsNoGoodIsComplainedAboutAndForgotten() {
        var bench = bench()
        let (other, late) = (bench.issue(.host), bench.issue(.guest, expiry: 20))
        bench.pass(.seconds(30))
        for (token, code) in [("nonsense", RefusalCode.notAdmitted), (other, .notAllowed), (late, .expired)] {
            bench.say("ann", .renew(token: token))
            guard case .complaint(let refusal, "renew") = bench.events(of: "ann").last else {
                return #expect(Bool(false))
            }
            #expect(refusal.code == code)
        }
        bench.cut("ann")
        bench.pass(.seconds(2))
        #expect(bench.clients["ann"]?.machine.isInside == true, "the token of before still holds")
    }

    @Test func aHostIsAskedAndGivesMoreTime() {
        var bench = bench()
        bench.pass(.seconds(80))
        bench.say("ann", .renew(token: nil))
        #expect(bench.events(of: "host").last == .renewalWanted(RoomBench.id("ann")))
        #expect(bench.events(of: "bob").isEmpty)
        bench.decide("host", .extend(RoomBench.id("ann"), seconds: 3600))
        #expect(bench.events(of: "ann").last == .renewed(expiresIn: 3600))
        bench.pass(.seconds(1000))
        bench.cut("ann")
        bench.pass(.seconds(2))
        #expect(bench.clients["ann"]?.machine.isInside == true)
        bench.pass(.seconds(2700))
        #expect(end("ann", in: bench) == .expired)
    }

    @Test func extendingAgainAndAgainLeavesOneInvite() {
        var bench = bench()
        for _ in 0..<250 { bench.decide("host", .extend(RoomBench.id("ann"), seconds: nil)) }
        #expect(bench.events(of: "ann").last == .renewed(expiresIn: nil))
        #expect(bench.server.invites(of: RoomBench.name)?.record.invites.count == 5)
        bench.pass(.seconds(1000))
        #expect(bench.clients["ann"]?.machine.isInside == true)
    }

    @Test func whoHasNoEndNeedsNoTimeAndWithoutAHostNobodyIsAsked() {
        var bench = bench()
        bench.say("bob", .renew(token: nil))
        guard case .complaint(let refusal, "renew") = bench.events(of: "bob").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .notAllowed)
        bench.run("host") { $0.leave(into: &$2) }
        bench.say("ann", .renew(token: nil))
        guard case .complaint(let other, "renew") = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(other.reason == "no host is in the call who could be asked")
    }

    @Test func aClockThatIsSetMovesTheEndWithIt() {
        var bench = bench()
        bench.pass(.seconds(10))
        bench.server.wallClock = WallClock(unixSeconds: 60, at: bench.now)
        bench.pass(.seconds(10))
        #expect(bench.events(of: "ann") == [.expiring(seconds: 30)])
        bench.server.wallClock = WallClock(unixSeconds: 1e9, at: bench.now)
        bench.pass(.seconds(10))
        #expect(end("ann", in: bench) == .expired)
    }

    @Test func whoWaitsGoesWhenItsTimeIsOver() {
        var bench = bench()
        bench.add("chi", intent: .wait, token: bench.issue(.guest, expiry: 50))
        bench.pass(.seconds(51))
        #expect(end("chi", in: bench) == .expired)
        #expect(bench.events(of: "bob").last == .waiting([]))
    }
}
