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
            "demo", "--headless", "--seconds", "5", "--break-keys", within: .seconds(60))
        #expect(outcome.status == 1)
    }
}
