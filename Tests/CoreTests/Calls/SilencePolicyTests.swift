import Testing

@testable import Core

@Suite struct SilencePolicyTests {
    @Test func onePersonIsSilencedAlone() throws {
        var policy = SilencePolicy()
        try policy.setSilenced(true, "chi")
        #expect(policy.isSilenced("chi"))
        #expect(!policy.isSilenced("bob"))
    }

    /// A22.2.
    @Test func whileEverybodyIsSilencedNobodyCanBeHeardAlone() throws {
        var policy = SilencePolicy()
        policy.setEveryone(true)
        #expect(policy.isSilenced("bob"))
        #expect(throws: CallError.self) { try policy.setSilenced(false, "bob") }
        policy.setEveryone(false)
        #expect(!policy.isSilenced("bob"))
    }

    @Test func liftingTheSilenceOfAllKeepsThatOfOne() throws {
        var policy = SilencePolicy()
        try policy.setSilenced(true, "chi")
        policy.setEveryone(true)
        policy.setEveryone(false)
        #expect(policy.isSilenced("chi"))
        #expect(!policy.isSilenced("bob"))
    }

    /// A23.1: the default touches later joiners only, and lifting it does not unsilence those who are there.
    @Test func theDefaultIsForLaterJoinersOnly() throws {
        var policy = SilencePolicy()
        policy.joined("bob")
        policy.silencesJoiners = true
        policy.joined("chi")
        #expect(!policy.isSilenced("bob"))
        #expect(policy.isSilenced("chi"))
        policy.silencesJoiners = false
        policy.joined("dee")
        #expect(policy.isSilenced("chi"))
        #expect(!policy.isSilenced("dee"))
        try policy.setSilenced(false, "chi")
        #expect(!policy.isSilenced("chi"))
    }
}
