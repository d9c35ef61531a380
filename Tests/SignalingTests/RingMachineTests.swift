import Primitives
import Testing

@testable import Signaling

/// Q2–Q7 on a virtual clock.
@Suite struct RingMachineTests {
    /// Runs the machine by its deadlines up to `end`; returns every event with its second.
    func run(_ machine: inout RingMachine, until end: MonoTime) -> [(Double, RingMachine.Event)] {
        var events: [(Double, RingMachine.Event)] = []
        while let deadline = machine.deadline, deadline <= end {
            var out = Outbox<RingMachine.Event>()
            machine.tick(at: deadline, into: &out)
            events += out.events.map { ((deadline - .zero).seconds, $0) }
            if let next = machine.deadline, next <= deadline {
                Issue.record("the deadline did not advance")
                return events
            }
        }
        return events
    }

    func started(_ names: [String], _ settings: RingSettings = RingSettings()) -> RingMachine {
        var machine = RingMachine(call: RingID("c1"), settings: settings)
        var out = Outbox<RingMachine.Event>()
        for name in names { machine.ring(name, at: .zero, into: &out) }
        let invites = out.events.compactMap { if case .send(.ring(let invite)) = $0 { invite.name } else { nil } }
        #expect(invites == names)
        return machine
    }

    @Test func anInviteIsRepeatedEachDialingIntervalUntilTheAnswerIntervalEnds() {
        var machine = started(["bob"])
        let events = run(&machine, until: .zero + .seconds(100))
        let invites = events.filter { if case .send(.ring) = $0.1 { true } else { false } }.map(\.0)
        #expect(invites == [5, 10, 15, 20, 25, 30, 35, 40])
        #expect(machine.isFinished)
    }

    @Test func userDidNotRespondComesBeforeConnectionClosedForEachPerson() {
        var machine = started(["bob", "chi"])
        let ends = run(&machine, until: .zero + .seconds(100)).compactMap { time, event -> RingProgress? in
            guard case .progress(let progress) = event else { return nil }
            #expect(time == 45)
            return progress
        }
        #expect(
            ends == [
                .userDidNotRespond("bob"), .connectionClosed("bob", .notAnswered),
                .userDidNotRespond("chi"), .connectionClosed("chi", .notAnswered),
            ])
    }

    @Test func everyoneHasATimerOfTheirOwn() throws {
        let settings = try RingSettings(answerSeconds: 10, dialingSeconds: 3)
        var machine = started(["bob"], settings)
        var out = Outbox<RingMachine.Event>()
        machine.ring("chi", at: .zero + .seconds(6), into: &out)
        let silent = run(&machine, until: .zero + .seconds(60)).compactMap { time, event -> String? in
            if case .progress(.userDidNotRespond(let name)) = event { "\(name) \(time)" } else { nil }
        }
        #expect(silent == ["bob 10.0", "chi 16.0"])
    }

    @Test func anAnswerEndsOnlyThatPersonsRinging() {
        var machine = started(["bob", "chi"])
        var out = Outbox<RingMachine.Event>()
        machine.receive(IncomingReply(call: RingID("c1"), name: "bob", answer: .accepted), into: &out)
        machine.receive(IncomingReply(call: RingID("c1"), name: "bob", answer: .rejected), into: &out)
        #expect(
            out.events == [
                .send(.ringCancel(RingCancel(call: RingID("c1"), name: "bob"))), .progress(.accepted("bob")),
            ])
        #expect(machine.names == ["chi"])
    }

    @Test func aRejectionClosesTheConnection() {
        var machine = started(["bob"])
        var out = Outbox<RingMachine.Event>()
        machine.receive(IncomingReply(call: RingID("c1"), name: "bob", answer: .busy), into: &out)
        #expect(
            out.events.dropFirst() == [
                .progress(.rejected("bob", .busy)), .progress(.connectionClosed("bob", .busy)),
            ])
        #expect(machine.deadline == nil)
    }

    @Test func anAnswerToAnotherCallIsNotHeard() {
        var machine = started(["bob"])
        var out = Outbox<RingMachine.Event>()
        machine.receive(IncomingReply(call: RingID("c2"), name: "bob", answer: .accepted), into: &out)
        #expect(out.isEmpty)
    }

    @Test func whoIsAbsentIsRungUntilTheyComeAndReportedOncePerChange() {
        var machine = started(["bob"])
        var out = Outbox<RingMachine.Event>()
        for state in [RingReport.State.absent, .absent, .ringing, .ringing] {
            machine.receive(RingReport(call: RingID("c1"), name: "bob", state: state), into: &out)
        }
        #expect(out.events == [.progress(.isAbsent("bob")), .progress(.isRinging("bob"))])
        machine.receive(RingReport(call: RingID("c1"), name: "bob", state: .inCall), into: &out)
        #expect(out.events.last == .progress(.connectionClosed("bob", .inCall)))
    }

    @Test func hangingUpCancelsEveryone() {
        var machine = started(["bob", "chi"])
        var out = Outbox<RingMachine.Event>()
        machine.hangUp("bob", into: &out)
        machine.hangUp(into: &out)
        #expect(out.events.count == 4)
        #expect(out.events.last == .progress(.connectionClosed("chi", .hungUp)))
        #expect(machine.isFinished)
    }

    @Test func ringingSomeoneTwiceIsRingingOnce() {
        var machine = started(["bob"])
        var out = Outbox<RingMachine.Event>()
        machine.ring("bob", at: .zero + .seconds(1), into: &out)
        #expect(out.isEmpty)
        #expect(machine.giveUpTime(of: "bob") == .zero + .seconds(45))
    }

    @Test(arguments: [9, 61, -1]) func anAnswerIntervalOutOfRangeIsRefusedWithTheRange(_ seconds: Int) {
        #expect(throws: RingSettingsError.answerOutOfRange(seconds: seconds)) {
            try RingSettings(answerSeconds: seconds, dialingSeconds: 5)
        }
        #expect("\(RingSettingsError.answerOutOfRange(seconds: seconds))".contains("10 to 60 s"))
    }

    @Test(arguments: [0, 2, 61]) func aDialingIntervalOutOfRangeIsRefusedWithTheRange(_ seconds: Int) {
        #expect(throws: RingSettingsError.dialingOutOfRange(seconds: seconds)) {
            try RingSettings(answerSeconds: 45, dialingSeconds: seconds)
        }
        #expect("\(RingSettingsError.dialingOutOfRange(seconds: seconds))".contains("3 to 60 s"))
    }

    @Test func theLimitsThemselvesAreTaken() throws {
        _ = try RingSettings(answerSeconds: 10, dialingSeconds: 3)
        _ = try RingSettings(answerSeconds: 60, dialingSeconds: 60)
    }
}

@Suite struct IncomingRingMachineTests {
    let invite = IncomingInvite(call: RingID("c1"), from: MemberID("m1"), name: "ann", interval: 5)

    func rung() -> (IncomingRingMachine, Outbox<IncomingRingMachine.Event>) {
        var (machine, out) = (IncomingRingMachine(), Outbox<IncomingRingMachine.Event>())
        machine.receive(invite, at: .zero, into: &out)
        return (machine, out)
    }

    @Test func repeatsOfOneCallRingOnce() {
        var (machine, out) = rung()
        for second in 1...9 { machine.receive(invite, at: .zero + .seconds(second * 5), into: &out) }
        #expect(out.events == [.ringing(invite)])
        #expect(machine.calls == [invite])
    }

    @Test func theAnswerGoesToTheCallerAndEndsTheRinging() {
        var (machine, out) = rung()
        let isAnswered = machine.answer(RingID("c1"), .accepted, into: &out)
        #expect(isAnswered)
        let reply = RingReply(call: RingID("c1"), to: MemberID("m1"), answer: .accepted)
        #expect(out.events.dropFirst() == [.send(.ringAnswer(reply)), .ended(RingID("c1"), .accepted)])
        let isAnsweredAgain = machine.answer(RingID("c1"), .rejected, into: &out)
        #expect(!isAnsweredAgain)
    }

    @Test func aLateRepeatOfARejectedCallIsRejectedAgainWithoutRinging() {
        var (machine, out) = rung()
        _ = machine.answer(RingID("c1"), .rejected, into: &out)
        out = Outbox()
        machine.receive(invite, at: .zero + .seconds(5), into: &out)
        #expect(
            out.events == [.send(.ringAnswer(RingReply(call: RingID("c1"), to: MemberID("m1"), answer: .rejected)))])
    }

    @Test func theCallerCancels() {
        var (machine, out) = rung()
        machine.receive(IncomingCancel(call: RingID("c1"), from: MemberID("other")), into: &out)
        #expect(machine.calls.count == 1)
        machine.receive(IncomingCancel(call: RingID("c1"), from: MemberID("m1")), into: &out)
        machine.receive(invite, at: .zero + .seconds(1), into: &out)
        #expect(out.events == [.ringing(invite), .ended(RingID("c1"), .cancelled)])
    }

    @Test func aCallWhoseInvitesStopEndsAndRingsAnewWhenTheyComeAgain() throws {
        var (machine, out) = rung()
        let deadline = try #require(machine.deadline)
        #expect(deadline == .zero + .milliseconds(17_500))
        machine.tick(at: deadline, into: &out)
        #expect(out.events.last == .ended(RingID("c1"), .lost))
        #expect(machine.deadline == nil)
        machine.receive(invite, at: deadline, into: &out)
        #expect(out.events.last == .ringing(invite))
    }

    @Test func callersBeyondTheBoundAreToldBusy() {
        var (machine, out) = (IncomingRingMachine(), Outbox<IncomingRingMachine.Event>())
        for number in 0..<20 {
            var many = invite
            many.call = RingID("c\(number)")
            machine.receive(many, at: .zero, into: &out)
        }
        #expect(machine.calls.count == 16)
        #expect(out.events.count { if case .send = $0 { true } else { false } } == 4)
    }
}
