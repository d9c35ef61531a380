import ControlClient
import ControlProtocol
import Testing

/// Who waits in a room, and which of several people a name means.
@Suite(.serialized) struct ReachableTests {
    private func refusal(_ body: () throws -> Void) throws -> String {
        do {
            try body()
            return ""
        } catch ClientError.refused(let error) {
            return error.message
        }
    }

    @Test func whoWaitsIsToldAndIsRungOnce() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        let link = try a.host("room")
        try b.call("room.wait", ["room": .string(link), "name": .string("bea")])
        #expect(try a.wait { $0.state.calls.values.first?.waiting == ["bea"] })
        #expect(a.events.last { $0.kind == .memberWaits }?.text == "bea waits in room, and can be rung")
        #expect(try a.program.run("status").output.contains("wait here to be rung: bea; hoot ring bea"))
        #expect(try a.program.run("ring", "bea").output == "ringing bea\n")
        try #require(try b.wait { $0.state.calls.values.contains { $0.phase == .ringing } })
        let again = try a.program.run("ring", "bea")
        #expect(again.status == 1)
        #expect(again.errors == "hoot: ring: bea: it rings there already; an answer is waited for\n")
        #expect(try a.program.run("ring", "bea", "eva").output == "ringing eva\n")
        #expect(try a.wait { $0.state.calls.values.first?.ringing["eva"] == .unknown })
        #expect(!a.events.contains { $0.kind == .ringRejected || $0.kind == .connectionClosed }, "it rings on")
        let answered = try b.program.run("answer")
        #expect(answered.output == "answered\n" && answered.errors.isEmpty, "with a console it is heard")
        #expect(try a.waitForPeople(1))
        #expect(try a.wait { $0.state.calls.values.first?.waiting == nil })
    }

    @Test func peopleOfOneNameAreMeantByTheirIds() throws {
        let a = try SoundingCore("a", pulse: nil)
        let twins = try (0..<2).map { _ in try SoundingCore("b", pulse: nil) }
        let link = try a.host("room")
        for twin in twins { try twin.join(link) }
        try #require(try a.waitForPeople(2))
        let ids = a.people.map(\.id)
        for method in ["room.kick", "participant.silence", "participant.hide", "participant.prioritize", "stats.text"] {
            let why = try refusal { try a.call(method, ["participant": .string("b")]) }
            #expect(
                why.hasPrefix("2 people called “b” are in room; give the id instead: \(ids[0]) (row 1 of hoot status"))
            #expect(why.contains("\(ids[1]) (row 2 of hoot status"), "\(method): \(why)")
        }
        let status = try a.program.run("status").output
        #expect(ids.allSatisfy { status.contains("  b, id \($0)") }, "\(status)")
        try a.call("room.kick", ["participant": .string(ids[1])])
        #expect(try a.wait { $0.people.map(\.id) == [ids[0]] })
        #expect(try a.call("participant.silence", ["participant": .string("b")])["on"]?.boolValue == true)
    }
}
