import ControlProtocol
import Testing

/// The demonstration proves the whole chain, and can be seen to fail.
@Suite(.serialized) struct DemoTests {
    @Test func everyGuestIsHeardSeenAndMeasured() throws {
        let outcome = try HootProgram().run("demo", "--headless", "--seconds", "10", "--json", within: .seconds(60))
        #expect(outcome.status == 0, "\(outcome.output.prefix(700))")
        let report = try #require(JSONValue(parsing: outcome.output.utf8))
        guard case .array(let participants)? = report["participants"] else {
            Issue.record("no participants")
            return
        }
        #expect(participants.count == 3)
        #expect(participants.allSatisfy { $0["name"] != nil && $0["level"] != nil && $0["loss"] != nil })
    }

    @Test func wrongKeysFailTheChecks() throws {
        let outcome = try HootProgram().run(
            "demo", "--headless", "--seconds", "8", "--break-keys", within: .seconds(60))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("failed:\n  "), "\(outcome.output)")
        #expect(outcome.output.contains(": heard in 0 of the "), "\(outcome.output)")
    }

    @Test(arguments: [(1, 5), (3, 7), (7, 16)])
    func aTimeInWhichNotEverybodyTalksIsRefused(guests: Int, seconds: Int) throws {
        let outcome = try HootProgram().run(
            "demo", "--headless", "--guests", "\(guests)", "--seconds", "\(seconds)", within: .seconds(10))
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--seconds: at least \(seconds + 1)"), "\(outcome.errors)")
    }

    @Test func oneGuestAloneIsHeardAndSeen() throws {
        let outcome = try HootProgram().run(
            "demo", "--headless", "--guests", "1", "--seconds", "7", within: .seconds(60))
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
