import Testing

@testable import Transport

@Suite struct PathDiagnosisTests {
    private typealias Kinds = Set<ICECandidate.Kind>

    private func words(
        _ local: Kinds, _ remote: Kinds, relaysOnly: Bool = false, hasRelays: Bool = false
    ) -> String {
        PathDiagnosis(local: local, remote: remote, relaysOnly: relaysOnly, hasRelays: hasRelays).description
    }

    @Test func whatIsMissingIsNamed() {
        #expect(words([], [.host], relaysOnly: true).contains("no TURN server is known"))
        #expect(words([], [.host], relaysOnly: true, hasRelays: true).contains("allows nothing else"))
        #expect(words([.host], []).contains("named no address"))
        #expect(words([.host], [.host]).contains("neither side knows a STUN or TURN server"))
        #expect(words([.host, .serverReflexive], [.host, .serverReflexive]).contains("symmetric NATs"))
        #expect(words([.host], [.host], hasRelays: true).contains("hoot doctor"))
        #expect(words([.host, .relayed], [.host], hasRelays: true).contains("turns:"))
        #expect(words([.host], [.host, .relayed]).contains("not even over a TURN server"))
    }
}
