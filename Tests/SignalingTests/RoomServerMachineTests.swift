import Primitives
import Testing

@testable import Signaling

@Suite struct RoomServerMachineTests {
    func join(_ bench: inout RoomBench, _ name: String, token: String = RoomBench.token, session: String? = nil)
        -> (ConnectionID, [ServerMessage])
    {
        guard let id = bench.connect() else { return (ConnectionID(rawValue: 0), []) }
        return (id, bench.say(.hello(RoomBench.hello(name, token: token, session: session)), from: id))
    }

    func refusal(_ messages: [ServerMessage]) -> Refusal? {
        if case .refused(let refusal) = messages.last { refusal } else { nil }
    }

    @Test func aWelcomeListsTheOthersAndTheOthersLearnOfTheNewcomer() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob")
        guard case .welcome(let welcome) = bench.events(of: "bob").first else { return #expect(Bool(false)) }
        #expect(welcome.members.map(\.name) == ["ann"])
        #expect(welcome.id == RoomBench.id("bob") && welcome.limits.seats == 8)
        guard case .memberJoined(let bob) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(bob.name == "bob" && bob.id == RoomBench.id("bob") && bob.role == .guest)
    }

    @Test func idsAreUniqueAndTellNothingOfTheIdentity() {
        let ids = Set((0..<1000).map { MemberID(identity: "identity-of-person-\($0)") })
        #expect(ids.count == 1000)
        #expect(!RoomBench.id("ann").rawValue.contains("ann"))
    }

    @Test(arguments: [("standup", ""), ("standup", "wrong"), ("nowhere", RoomBench.token), ("nowhere", "")])
    func aWrongTokenAndAnUnknownRoomAreRefusedAlike(_ room: String, _ token: String) {
        var bench = RoomBench()
        bench.add("ann")
        bench.forgetEvents()
        guard let id = bench.connect() else { return #expect(Bool(false)) }
        var hello = RoomBench.hello("eve", token: token)
        hello.room = room
        let answer = bench.say(.hello(hello), from: id)
        #expect(answer.count == 1)
        #expect(refusal(answer)?.code == .notAdmitted)
        let reason = "no such room, or the link's token is wrong; ask for a new link"
        #expect(refusal(answer)?.reason == reason)
        #expect(bench.events(of: "ann").isEmpty)
        #expect(bench.serverEvents.contains(.close(id, refusal(answer) ?? Refusal(.invalid, ""))))
    }

    @Test(arguments: [
        ("not json", RefusalCode.malformed), (#"{"type":"ping","number":1}"#, .notAllowed), ("{}", .malformed),
        (#"{"type":"relay"}"#, .unknownType), (#"{"type":"hello","version":1}"#, .malformed),
    ])
    func whoIsNotLetInIsToldOnlyTheReason(_ text: String, _ code: RefusalCode) {
        var bench = RoomBench()
        guard let id = bench.connect() else { return #expect(Bool(false)) }
        let answer = bench.say(text, from: id)
        #expect(answer.count == 1)
        #expect(refusal(answer)?.code == code)
        let afterwards = bench.say(.hello(RoomBench.hello("ann")), from: id)
        #expect(afterwards.isEmpty)
    }

    @Test func anOversizedHelloIsRefusedWithTheLimit() {
        var bench = RoomBench()
        guard let id = bench.connect() else { return #expect(Bool(false)) }
        let answer = bench.say(#"{"type":"hello","x":""# + String(repeating: "x", count: 140_000), from: id)
        #expect(refusal(answer)?.code == .tooLong)
        #expect(refusal(answer)?.reason.contains("at most 131072") == true)
    }

    @Test func anotherVersionIsRefusedByItsNumber() {
        var bench = RoomBench()
        guard let id = bench.connect() else { return #expect(Bool(false)) }
        var hello = RoomBench.hello("ann")
        hello.version = 2
        let answer = bench.say(.hello(hello), from: id)
        #expect(refusal(answer)?.reason == "this room speaks version 1, not 2; use the same version")
    }

    @Test func theNinthIsToldThatTheRoomIsFull() {
        var bench = RoomBench()
        for number in 1...8 { bench.add("p\(number)") }
        let (_, answer) = join(&bench, "p9")
        #expect(refusal(answer)?.code == .roomFull)
        #expect(refusal(answer)?.reason.hasPrefix("room is full") == true)
        bench.run("p3") { $0.leave(into: &$2) }
        let (_, again) = join(&bench, "p9")
        #expect(refusal(again) == nil && again.count == 1)
    }

    @Test func theSameIdentityWithANewSessionReplacesTheDeadOne() {
        var bench = RoomBench()
        bench.add("ann")
        let (old, _) = join(&bench, "bob", session: "one")
        bench.forgetEvents()
        let (_, answer) = join(&bench, "bob", session: "two")
        guard case .welcome(let welcome) = answer.first else { return #expect(Bool(false)) }
        #expect(!welcome.resumed && welcome.members.map(\.name) == ["ann"])
        #expect(bench.server.members(of: RoomBench.configuration().name).map(\.session) == ["s-ann", "two"])
        let closed = bench.serverEvents.compactMap { if case .close(old, let why) = $0 { why.code } else { nil } }
        #expect(closed == [.replaced])
    }

    @Test func othersSeeAReplacementAsLeftThenJoined() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob", session: "one")
        bench.forgetEvents()
        bench.add("bob", session: "two")
        let events = bench.events(of: "ann")
        #expect(events.first == .memberLeft(RoomBench.id("bob"), .replaced))
        guard case .memberJoined(let member) = events.last else { return #expect(Bool(false)) }
        #expect(member.session == "two")
    }

    @Test func aBrokenConnectionKeepsItsSeatAndItsMessagesForAWhile() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob")
        bench.clients["bob"]?.isOnline = false
        bench.cut("bob")
        bench.forgetEvents()
        let offer = PeerMessage.description(PeerDescription(kind: .offer, sdp: "v=0"))
        bench.run("ann") { $0.send(offer, to: RoomBench.id("bob"), into: &$2) }
        bench.pass(.seconds(5))
        bench.clients["bob"]?.isOnline = true
        bench.pass(.seconds(9))
        #expect(bench.events(of: "bob").last == .message(from: RoomBench.id("ann"), offer))
        #expect(bench.events(of: "ann").isEmpty)
    }

    @Test func whoDoesNotComeBackInTimeIsLost() {
        var bench = RoomBench()
        bench.add("ann")
        let (id, _) = join(&bench, "bob")
        bench.cut(id, "")
        bench.forgetEvents()
        bench.pass(.milliseconds(19_900))
        #expect(bench.events(of: "ann").isEmpty)
        bench.pass(.milliseconds(200))
        #expect(bench.events(of: "ann") == [.memberLeft(RoomBench.id("bob"), .lost)])
    }

    @Test func theSixtyFifthConnectionOutsideIsRefusedAtAccept() {
        var bench = RoomBench()
        let accepted = (0..<65).map { _ in bench.connect() }
        #expect(accepted.prefix(64).allSatisfy { $0 != nil } && accepted.last == .some(nil))
        #expect(bench.server.counters.refusedAtAccept == 1)
        let isLocalTaken = bench.server.accept(ConnectionID(rawValue: 9999), isLocal: true, at: bench.now)
        #expect(isLocalTaken)
    }

    @Test func whoSaysNothingForTenSecondsIsToldAndThenCutOff() {
        var bench = RoomBench()
        guard let id = bench.connect() else { return #expect(Bool(false)) }
        var out = Outbox<RoomServerMachine.Event>()
        bench.server.tick(at: .zero + .milliseconds(9_999), into: &out)
        #expect(out.isEmpty)
        bench.server.tick(at: .zero + .seconds(10), into: &out)
        #expect(out.events.last == .close(id, Refusal(.tooLate, "no hello within 10 s")))
        #expect(bench.server.connectionCounts == (1, 1))
        bench.server.tick(at: .zero + .seconds(12), into: &out)
        #expect(out.events.last == .abort(id))
        bench.server.disconnected(id, at: .zero + .seconds(12), into: &out)
        #expect(bench.server.connectionCounts == (0, 0))
        #expect(bench.server.deadline == nil)
    }

    @Test func aRefusedConnectionCountsAsOutsideUntilItIsGone() {
        var bench = RoomBench()
        for _ in 0..<64 {
            guard let id = bench.connect() else { return #expect(Bool(false)) }
            bench.say("nonsense", from: id)
        }
        let refused = bench.connect()
        bench.cut(ConnectionID(rawValue: 1), "")
        let accepted = bench.connect()
        #expect(refused == nil && accepted != nil)
    }

    @Test func directedMessagesReachOneMemberAndOthersAllButTheSender() {
        var bench = RoomBench()
        for name in ["ann", "bob", "chi"] { bench.add(name) }
        bench.forgetEvents()
        let candidate = PeerMessage.candidate(PeerCandidate(candidate: "c"))
        bench.run("ann") { $0.send(candidate, to: RoomBench.id("bob"), into: &$2) }
        bench.run("ann") { $0.send(.status(MemberStatus(muted: true)), to: nil, into: &$2) }
        let status = RoomEvent.message(from: RoomBench.id("ann"), .status(MemberStatus(muted: true)))
        #expect(bench.events(of: "bob") == [.message(from: RoomBench.id("ann"), candidate), status])
        #expect(bench.events(of: "chi") == [status])
        #expect(bench.events(of: "ann").isEmpty)
    }

    @Test func aNewcomerLearnsTheStatusOfEveryone() {
        var bench = RoomBench()
        bench.add("ann")
        bench.run("ann") { $0.send(.status(MemberStatus(muted: true)), to: nil, into: &$2) }
        bench.add("bob")
        #expect(bench.clients["bob"]?.machine.members.first?.status.muted == true)
    }

    @Test func aMessageForWhoIsNotThereIsComplainedAbout() {
        var bench = RoomBench()
        bench.add("ann")
        bench.run("ann") { $0.send(.candidate(PeerCandidate(candidate: "")), to: MemberID("ghost"), into: &$2) }
        guard case .complaint(let refusal, "candidate") = bench.events(of: "ann").last else {
            return #expect(Bool(false))
        }
        #expect(refusal.code == .unknownMember)
    }

    @Test func aMemberIsToldOfAnUnknownTypeAndStays() {
        var bench = RoomBench()
        let (id, _) = join(&bench, "ann")
        let answer = bench.say(#"{"type":"dance"}"#, from: id)
        guard case .error(let refusal, "dance") = answer.first else { return #expect(Bool(false)) }
        #expect(refusal.code == .unknownType)
        #expect(bench.server.members(of: RoomBench.configuration().name).count == 1)
    }

    @Test func aMemberThatBreaksTheProtocolIsDropped() {
        var bench = RoomBench()
        bench.add("ann")
        let (id, _) = join(&bench, "bob")
        bench.forgetEvents()
        let answer = bench.say("{", from: id)
        #expect(refusal(answer)?.code == .malformed)
        #expect(bench.server.members(of: RoomBench.configuration().name).map(\.name) == ["ann"])
    }

    @Test func aFloodIsCutByMessageAndByByte() {
        var bench = RoomBench()
        let (ann, _) = join(&bench, "ann")
        var answers: [ServerMessage] = []
        for number in 0..<400 { answers += bench.say(.ping(number: number), from: ann) }
        #expect(refusal(answers)?.code == .rate)
        #expect(answers.count < 302)
        let (bob, _) = join(&bench, "bob")
        let long = #"{"type":"status","x":""# + String(repeating: "x", count: 60_000) + "\"}"
        answers = []
        for _ in 0..<50 { answers += bench.say(long, from: bob) }
        #expect(refusal(answers)?.code == .rate)
        #expect(bench.server.counters.droppedForRate == 2)
    }

    @Test func aSteadyTalkerIsNotCut() {
        var bench = RoomBench()
        let (ann, _) = join(&bench, "ann")
        for number in 0..<2000 {
            bench.now += .milliseconds(21)
            let answer = bench.say(.ping(number: number), from: ann)
            #expect(refusal(answer) == nil)
        }
    }

    @Test func whoDoesNotReadIsDropped() {
        var bench = RoomBench()
        bench.add("ann")
        let (slow, _) = join(&bench, "bob")
        bench.forgetEvents()
        let offer = PeerMessage.description(PeerDescription(kind: .offer, sdp: String(repeating: "x", count: 100_000)))
        for _ in 0..<12 {
            bench.now += .milliseconds(500)
            bench.run("ann") { $0.send(offer, to: RoomBench.id("bob"), into: &$2) }
        }
        #expect(bench.serverEvents.contains(.abort(slow)))
        #expect(bench.events(of: "ann").first == .memberLeft(RoomBench.id("bob"), .tooSlow))
        #expect(bench.server.counters.droppedSlow == 1)
    }

    @Test func whoConfirmsWhatItReadsIsNotDropped() {
        var bench = RoomBench()
        bench.add("ann")
        bench.add("bob")
        bench.forgetEvents()
        let offer = PeerMessage.description(PeerDescription(kind: .offer, sdp: String(repeating: "x", count: 100_000)))
        for _ in 0..<60 {
            bench.now += .milliseconds(500)
            bench.run("ann") { $0.send(offer, to: RoomBench.id("bob"), into: &$2) }
        }
        #expect(bench.events(of: "bob").count == 60)
        #expect(bench.server.counters.droppedSlow == 0)
    }

    @Test func aConnectionThatSaysNothingIsCutAndItsMemberIsAway() {
        var bench = RoomBench()
        bench.add("ann")
        let (id, _) = join(&bench, "bob")
        bench.forgetEvents()
        bench.pass(.seconds(15))
        #expect(bench.serverEvents.contains(.abort(id)))
        #expect(bench.events(of: "ann").isEmpty)
        bench.pass(.seconds(20))
        #expect(bench.events(of: "ann") == [.memberLeft(RoomBench.id("bob"), .lost)])
    }

    @Test func onlyAHostClosesTheRoom() {
        var bench = RoomBench()
        bench.add("ann", token: RoomBench.hostToken)
        bench.add("bob")
        let (chi, _) = join(&bench, "chi")
        guard case .error(let refusal, "leave") = bench.say(.leave(closes: true), from: chi).first else {
            return #expect(Bool(false))
        }
        #expect(refusal.code == .notAllowed)
        bench.run("ann") { $0.leave(closing: true, into: &$2) }
        #expect(bench.events(of: "bob").last == .closed(.roomClosed("the host closed the room")))
        #expect(bench.events(of: "ann").last == .closed(.left))
        #expect(bench.serverEvents.contains(.roomClosed(RoomBench.configuration().name)))
    }

    @Test func aHostThatOnlyLeavesKeepsTheRoomOpen() {
        var bench = RoomBench()
        bench.add("ann", token: RoomBench.hostToken)
        bench.add("bob")
        bench.run("ann") { $0.leave(into: &$2) }
        #expect(bench.events(of: "bob").last == .memberLeft(RoomBench.id("ann"), .left))
        let (_, answer) = join(&bench, "chi")
        #expect(refusal(answer) == nil)
    }

    @Test func mutatedMessagesOfAMemberNeverTrapTheServer() {
        var random = SplitMix64(seed: 3)
        let corpus = RoomProtocolTests.fromClient.map { RoomProtocol.encode($0) }
        var bench = RoomBench()
        for round in 0..<4000 {
            let (id, _) = join(&bench, "p\(round % 6)")
            for _ in 0..<3 {
                var bytes = corpus.randomElement(using: &random) ?? []
                RoomProtocolTests().mutate(&bytes, &random)
                bench.say(String(decoding: bytes, as: UTF8.self), from: id)
            }
            bench.now += .milliseconds(100)
            bench.cut(id, "")
            bench.serverEvents = []
        }
        #expect(bench.server.connectionCounts.all == 0)
    }
}
