import Primitives
import Testing

@testable import Signaling

@Suite struct RoomClientMachineTests {
    func retries(_ events: [RoomEvent]) -> [Double] {
        events.compactMap { if case .reconnecting(_, let next, _) = $0 { next.seconds } else { nil } }
    }

    func changes(_ events: [RoomEvent]) -> [RosterChange] {
        events.compactMap { if case .reconnected(let change) = $0 { change } else { nil } }
    }

    @Test func aFirstConnectionThatFailsIsToldAtOnce() {
        var bench = RoomBench()
        var machine = RoomClientMachine(hello: RoomBench.hello("ann"), random: SplitMix64(seed: 1))
        var out = Outbox<RoomClientMachine.Event>()
        machine.start(at: .zero, into: &out)
        machine.disconnected("connection refused", at: .zero, into: &out)
        #expect(out.events == [.connect, .disconnect, .room(.closed(.unreachable("connection refused")))])
        #expect(machine.deadline == nil)
        bench.add("eve", token: "wrong")
        guard case .closed(.refused(let refusal)) = bench.events(of: "eve").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .notAdmitted)
    }

    @Test func aServerThatDoesNotAnswerIsGivenUpAfterTenSeconds() throws {
        var machine = RoomClientMachine(hello: RoomBench.hello("ann"), random: SplitMix64(seed: 1))
        var out = Outbox<RoomClientMachine.Event>()
        machine.start(at: .zero, into: &out)
        machine.connected(at: .zero + .seconds(1), into: &out)
        #expect(out.datagrams.count == 1)
        #expect(machine.deadline == .zero + .seconds(11))
        machine.tick(at: .zero + .seconds(11), into: &out)
        #expect(out.events.last == .room(.closed(.unreachable("no answer within 10 s"))))
    }

    @Test func waitsBetweenAttemptsDoubleFromHalfASecondToEightWithJitter() {
        var bench = RoomBench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.cut("ann")
        bench.pass(.seconds(60))
        let waits = retries(bench.events(of: "ann"))
        #expect(waits.count > 8)
        for (wait, base) in zip(waits, [0.5, 1, 2, 4, 8, 8, 8, 8]) {
            #expect(wait >= max(0.5, base * 0.75) && wait <= min(8, base * 1.25))
        }
        #expect(Set(waits.suffix(4)).count > 1)
    }

    @Test func jitterComesFromTheInjectedGenerator() {
        var (first, same, other) = (
            Backoff(random: SplitMix64(seed: 5)), Backoff(random: SplitMix64(seed: 5)),
            Backoff(random: SplitMix64(seed: 6))
        )
        let waits = (0..<6).map { _ in first.next() }
        #expect(waits == (0..<6).map { _ in same.next() })
        #expect(waits != (0..<6).map { _ in other.next() })
    }

    @Test func theWaitsBeginAnewAfterAReturn() {
        var bench = RoomBench()
        bench.add("ann")
        for _ in 0..<3 {
            bench.cut("ann")
            bench.pass(.seconds(2))
        }
        #expect(retries(bench.events(of: "ann")).allSatisfy { $0 < 0.63 })
    }

    @Test func whoComesBackToTheSameServerFindsTheSameCall() {
        var bench = RoomBench()
        for name in ["ann", "bob", "chi"] { bench.add(name) }
        bench.clients["ann"]?.isOnline = false
        bench.cut("ann")
        bench.run("chi") { $0.leave(into: &$2) }
        bench.add("dee")
        bench.forgetEvents()
        bench.clients["ann"]?.isOnline = true
        bench.pass(.seconds(2))
        let change = changes(bench.events(of: "ann"))
        #expect(change.first?.same == [RoomBench.id("bob")])
        #expect(change.first?.removed == [RoomBench.id("chi")])
        #expect(change.first?.added.map(\.name) == ["dee"])
        #expect(change.first?.awaited == [])
        #expect(bench.events(of: "bob").isEmpty, "the others must not notice")
    }

    /// The others dropped their connections to who was away for too long, so both sides need new ones.
    @Test func whoComesBackTooLateFindsNewPeers() {
        var bench = RoomBench()
        for name in ["ann", "bob"] { bench.add(name) }
        bench.clients["ann"]?.isOnline = false
        bench.cut("ann")
        bench.pass(.seconds(30))
        #expect(bench.events(of: "bob").contains(.memberLeft(RoomBench.id("ann"), .lost)))
        bench.forgetEvents()
        bench.clients["ann"]?.isOnline = true
        bench.pass(.seconds(12))
        let change = changes(bench.events(of: "ann"))
        #expect(change.first?.same == [] && change.first?.removed == [RoomBench.id("bob")])
        #expect(change.first?.added.map(\.name) == ["bob"])
        #expect(bench.events(of: "bob").contains { if case .memberJoined = $0 { true } else { false } })
    }

    @Test func aServerStartedAnewGetsTheCallBackWithoutAnyoneLeaving() {
        var bench = RoomBench()
        for name in ["ann", "bob", "chi"] { bench.add(name) }
        bench.run("bob") { $0.send(.status(MemberStatus(muted: true)), to: nil, into: &$2) }
        bench.forgetEvents()
        bench.restartServer()
        bench.pass(.seconds(30))
        for name in ["ann", "bob", "chi"] {
            let events = bench.events(of: name)
            #expect(events.contains { if case .reconnected = $0 { true } else { false } })
            #expect(!events.contains { if case .memberLeft = $0 { true } else { false } })
            #expect(!events.contains { if case .memberJoined = $0 { true } else { false } })
            #expect(bench.clients[name]?.machine.members.count == 2)
        }
        #expect(bench.clients["ann"]?.machine.members.first { $0.name == "bob" }?.status.muted == true)
    }

    @Test func whoDoesNotReturnToAServerStartedAnewIsRemovedAfterAWhile() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob")
        bench.clients["bob"]?.isOnline = false
        bench.forgetEvents()
        bench.restartServer()
        bench.pass(.seconds(15))
        let change = changes(bench.events(of: "ann"))
        #expect(change.first?.awaited == [RoomBench.id("bob")])
        #expect(bench.clients["ann"]?.machine.members.count == 1)
        bench.pass(.seconds(10))
        #expect(bench.events(of: "ann").last == .memberLeft(RoomBench.id("bob"), .notReturned))
    }

    @Test func whatCouldNotBeSaidIsSaidOnReturnExceptReports() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob")
        bench.clients["ann"]?.isOnline = false
        bench.cut("ann")
        bench.forgetEvents()
        let offer = PeerMessage.description(PeerDescription(kind: .offer, sdp: "v=0"))
        bench.run("ann") { $0.send(offer, to: RoomBench.id("bob"), into: &$2) }
        bench.run("ann") { $0.send(.report(LossReport(seconds: 5, losses: [])), to: nil, into: &$2) }
        bench.run("ann") { $0.send(.status(MemberStatus(muted: false)), to: nil, into: &$2) }
        bench.run("ann") { $0.send(.status(MemberStatus(muted: true)), to: nil, into: &$2) }
        bench.clients["ann"]?.isOnline = true
        bench.pass(.seconds(3))
        #expect(
            bench.events(of: "bob") == [
                .message(from: RoomBench.id("ann"), .status(MemberStatus(muted: true))),
                .message(from: RoomBench.id("ann"), offer),
            ])
    }

    @Test func aServerThatFallsSilentIsNoticedAndLeft() {
        var bench = RoomBench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.forgetEvents()
        bench.pass(.milliseconds(10_100))
        guard case .reconnecting(1, _, let reason) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(reason == "nothing heard for 10 s")
    }

    func outages(_ events: [RoomEvent]) -> [RoomEvent] {
        events.filter { [.interrupted, .lost, .rejoined].contains($0) }
    }

    @Test func aSilentServerIsAskedAfterTwoSecondsInterruptedAfterFourAndLostAfterTen() {
        var bench = RoomBench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.forgetEvents()
        bench.pass(.milliseconds(3_999))
        #expect(bench.events(of: "ann").isEmpty)
        #expect(bench.clients["ann"]?.machine.pingNumber == 1)
        bench.pass(.milliseconds(1))
        #expect(bench.events(of: "ann") == [.interrupted])
        bench.pass(.milliseconds(5_999))
        #expect(bench.events(of: "ann") == [.interrupted])
        bench.pass(.milliseconds(1))
        #expect(outages(bench.events(of: "ann")) == [.interrupted, .lost])
    }

    @Test func aServerThatSpeaksAgainIsRejoinedWithoutANewConnection() {
        var bench = RoomBench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.forgetEvents()
        bench.pass(.seconds(7))
        bench.clients["ann"]?.isOnline = true
        bench.pass(.seconds(3))
        #expect(bench.events(of: "ann") == [.interrupted, .rejoined])
    }

    @Test func aBreakThatIsMendedWithinFourSecondsIsNoInterruption() {
        var bench = RoomBench()
        bench.add("ann")
        bench.forgetEvents()
        bench.cut("ann")
        bench.pass(.seconds(20))
        #expect(outages(bench.events(of: "ann")).isEmpty)
        #expect(changes(bench.events(of: "ann")).count == 1)
    }

    @Test func whoComesBackLateIsRejoinedAndTheNextOutageCountsAnew() {
        var bench = RoomBench()
        bench.add("ann")
        bench.forgetEvents()
        for _ in 0..<2 {
            bench.clients["ann"]?.isOnline = false
            bench.cut("ann")
            bench.pass(.seconds(30))
            bench.clients["ann"]?.isOnline = true
            bench.pass(.seconds(15))
        }
        #expect(
            outages(bench.events(of: "ann")) == [.interrupted, .lost, .rejoined, .interrupted, .lost, .rejoined])
        #expect(bench.events(of: "ann").last == .rejoined)
    }

    @Test func afterTwentyMinutesTheServerIsGivenUp() {
        var bench = RoomBench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.cut("ann")
        bench.forgetEvents()
        bench.pass(.milliseconds(20 * 60_000 - 1))
        #expect(bench.clients["ann"]?.machine.isOver == false)
        bench.pass(.milliseconds(1))
        #expect(
            bench.events(of: "ann").last
                == .closed(.gaveUp("the room's server was out of reach for 20 minutes")))
        #expect(bench.clients["ann"]?.machine.deadline == nil)
    }

    @Test func anIdleRoomStaysConnected() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob")
        bench.forgetEvents()
        bench.pass(.seconds(600))
        #expect(bench.events(of: "ann").isEmpty)
        #expect(bench.clients["ann"]?.machine.isInside == true)
    }

    @Test func aRoomThatRefusesUsOnReturnIsTriedSomeTimesOnly() {
        var bench = RoomBench()
        bench.add("ann")
        bench.server = RoomServerMachine(instance: "other")
        bench.cut("ann")
        bench.clients["ann"]?.connection = nil
        bench.run("ann") { $0.disconnected("broke", at: $1, into: &$2) }
        bench.pass(.seconds(60))
        guard case .closed(.refused(let refusal)) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .notAdmitted)
        #expect(retries(bench.events(of: "ann")).count == 5)
    }

    @Test func beingReplacedIsFinal() {
        var bench = RoomBench()
        bench.add("ann", session: "one")
        guard let id = bench.connect() else { return #expect(Bool(false)) }
        bench.say(.hello(RoomBench.hello("ann", session: "two")), from: id)
        for event in bench.serverEvents {
            guard case .send(let to, let bytes) = event, to == bench.clients["ann"]?.connection else { continue }
            bench.run("ann") { $0.receive(bytes.span.bytes, at: $1, into: &$2) }
        }
        guard case .closed(.refused(let refusal)) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .replaced)
    }

    @Test func leavingSaysGoodbyeOnceAndEndsEverything() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob")
        bench.run("bob") { $0.leave(into: &$2) }
        bench.run("bob") { $0.leave(into: &$2) }
        #expect(bench.events(of: "bob").count { $0 == .closed(.left) } == 1)
        #expect(bench.events(of: "ann").last == .memberLeft(RoomBench.id("bob"), .left))
        #expect(bench.clients["bob"]?.machine.deadline == nil)
    }

    @Test func whatIsNoMessageIsCountedAndIgnored() {
        var bench = RoomBench()
        bench.add("ann")
        bench.forgetEvents()
        for text in ["", "{", #"{"type":"dance"}"#, #"{"type":"joined"}"#] {
            bench.run("ann") { $0.receive([UInt8](text.utf8).span.bytes, at: $1, into: &$2) }
        }
        #expect(bench.clients["ann"]?.machine.malformedCount == 4)
        #expect(bench.events(of: "ann").isEmpty)
    }
}

/// Ringing from end to end (Q2–Q7).
@Suite struct RoomRingingTests {
    func ringing(_ events: [RoomEvent]) -> [RingProgress] {
        events.compactMap { if case .ringing(_, let progress) = $0 { progress } else { nil } }
    }

    func bench(waiting: Bool = true) -> RoomBench {
        var bench = RoomBench()
        bench.add("ann")
        if waiting { bench.add("bob", intent: .wait) }
        bench.forgetEvents()
        return bench
    }

    @Test func membersKnowWhoCanBeRung() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob", intent: .wait)
        #expect(bench.events(of: "ann").last == .waiting(["bob"]))
        bench.add("chi")
        guard case .welcome(let welcome) = bench.events(of: "chi").first else { return #expect(Bool(false)) }
        #expect(welcome.waiting == ["bob"] && welcome.members.map(\.name) == ["ann"])
        bench.run("bob") { $0.leave(into: &$2) }
        #expect(bench.events(of: "ann").last == .waiting([]))
    }

    @Test func whoWaitsIsRungAnswersAndComesIn() {
        var bench = bench()
        bench.run("ann") { $0.ring(["bob"], call: RingID("c1"), at: $1, into: &$2) }
        guard case .incomingRing(let invite) = bench.events(of: "bob").last else { return #expect(Bool(false)) }
        #expect(invite.name == "ann" && invite.from == RoomBench.id("ann"))
        bench.pass(.seconds(12))
        #expect(bench.events(of: "bob").count == 1, "repeats are one call")
        bench.run("bob") { machine, _, out in _ = machine.answer(RingID("c1"), .accepted, into: &out) }
        bench.run("bob") { $0.enter(into: &$2) }
        #expect(ringing(bench.events(of: "ann")) == [.isRinging("bob"), .accepted("bob")])
        guard case .memberJoined(let bob) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(bob.name == "bob")
        guard case .welcome(let welcome) = bench.events(of: "bob").last else { return #expect(Bool(false)) }
        #expect(welcome.members.map(\.name) == ["ann"])
    }

    @Test func whoIsRungAlreadyIsNotRungTwice() {
        var bench = bench()
        bench.run("ann") { $0.ring(["bob"], call: RingID("c1"), at: $1, into: &$2) }
        bench.run("ann") { $0.ring(["bob", "eva"], call: RingID("c2"), at: $1, into: &$2) }
        #expect(bench.clients["ann"]?.machine.ringingNames == ["bob", "eva"])
        #expect(bench.events(of: "bob").count == 1)
        #expect(ringing(bench.events(of: "ann")) == [.isRinging("bob"), .isAbsent("eva")])
    }

    @Test func whoDoesNotAnswerStopsRingingWhenTheCallerGivesUp() {
        var bench = bench()
        bench.run("ann") { $0.ring(["bob"], call: RingID("c1"), at: $1, into: &$2) }
        bench.pass(.seconds(46))
        #expect(
            ringing(bench.events(of: "ann")) == [
                .isRinging("bob"), .userDidNotRespond("bob"), .connectionClosed("bob", .notAnswered),
            ])
        #expect(bench.events(of: "bob").last == .incomingRingEnded(RingID("c1"), .cancelled))
    }

    @Test func whoComesToWaitWhileBeingCalledIsRung() {
        var bench = bench(waiting: false)
        bench.run("ann") { $0.ring(["bob"], call: RingID("c1"), at: $1, into: &$2) }
        bench.pass(.seconds(7))
        bench.add("bob", intent: .wait)
        bench.pass(.seconds(5))
        #expect(bench.events(of: "bob").contains { if case .incomingRing = $0 { true } else { false } })
        #expect(ringing(bench.events(of: "ann")) == [.isAbsent("bob"), .isRinging("bob")])
    }

    @Test func aRejectionReachesTheCaller() {
        var bench = bench()
        bench.run("ann") { $0.ring(["bob"], call: RingID("c1"), at: $1, into: &$2) }
        bench.run("bob") { machine, _, out in _ = machine.answer(RingID("c1"), .rejected, into: &out) }
        #expect(
            ringing(bench.events(of: "ann")).suffix(2) == [
                .rejected("bob", .rejected), .connectionClosed("bob", .rejected),
            ])
    }

    @Test func aCallerThatLeavesEndsTheRinging() {
        var bench = bench()
        bench.run("ann") { $0.ring(["bob"], call: RingID("c1"), at: $1, into: &$2) }
        bench.run("ann") { $0.leave(into: &$2) }
        #expect(bench.events(of: "bob").last == .incomingRingEnded(RingID("c1"), .cancelled))
        #expect(ringing(bench.events(of: "ann")).last == .connectionClosed("bob", .hungUp))
    }

    @Test func whoWaitsComesBackToWaiting() {
        var bench = bench()
        bench.cut("bob")
        bench.pass(.seconds(2))
        #expect(bench.events(of: "ann") == [.waiting([]), .waiting(["bob"])])
    }

    @Test func whoWaitsMayNotTalkToTheCall() {
        var bench = bench()
        bench.run("bob") { $0.send(.status(MemberStatus(muted: true)), to: nil, into: &$2) }
        guard case .complaint(let refusal, "status") = bench.events(of: "bob").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .notAllowed)
        #expect(bench.events(of: "ann").isEmpty)
    }

    @Test func whoCannotEnterAFullCallGoesOnWaiting() {
        var bench = RoomBench(seats: 1)
        bench.add("ann")
        bench.add("bob", intent: .wait)
        bench.run("bob") { $0.enter(into: &$2) }
        guard case .complaint(let refusal, "enter") = bench.events(of: "bob").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .roomFull)
        #expect(bench.clients["bob"]?.machine.hello.intent == .wait)
    }
}
