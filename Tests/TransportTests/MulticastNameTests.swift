import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// Candidates with which browsers hide their addresses behind names of multicast DNS.
@Suite(.serialized) @EngineActor struct MulticastNameTests {
    private nonisolated static let name = "5b1e4d4a-0c0b-4f0d-8a2e-6f1c2d3e4f50.local"

    /// A pair whose answerer is known to the offerer by name alone.
    private func hiddenPair(_ offerer: TransportConfiguration) throws -> PeerPair {
        let pair = try PeerPair(offerer)
        pair.nameOfAnswerer = Self.name
        return pair
    }

    @Test func aNameThatIsFoundIsUsed() async throws {
        var configuration = PeerPair.loopback
        configuration.lookUpPeer = { name in name == Self.name ? ["127.0.0.1"] : [] }
        let pair = try hiddenPair(configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(pair.offerer.transport.statistics.selectedPair?.remote.kind == .host)
        #expect(pair.offerer.transport.statistics.drops.candidates == 0)
    }

    /// By the system's own resolver, which does not know the name.
    @Test func whereNoNameIsFoundTheConnectionIsMadeAllTheSame() async throws {
        let pair = try hiddenPair(PeerPair.loopback)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(await pair.exchangesMedia())
        #expect(pair.offerer.transport.statistics.selectedPair?.remote.kind == .peerReflexive)
        #expect(await eventually { pair.offerer.transport.statistics.drops.candidates == 1 })
    }

    @Test func aResolverThatNeverAnswersHoldsNothingUp() async throws {
        var configuration = PeerPair.loopback
        configuration.lookUpPeer = { _ in
            await passTime(.seconds(3))
            return []
        }
        let pair = try hiddenPair(configuration)
        defer { pair.close() }
        let begun = MonoTime.now()
        #expect(try await pair.connect())
        #expect(MonoTime.now() - begun < .seconds(2))
    }

    @Test func aFloodOfNamesIsBounded() async throws {
        var asked = 0
        var configuration = PeerPair.loopback
        configuration.lookUpPeer = { @EngineActor _ in
            asked += 1
            return []
        }
        let pair = try PeerPair(configuration)
        defer { pair.close() }
        try pair.answer()
        try pair.takeAnswer()
        for number in 0..<100 {
            pair.offerer.transport.addRemoteCandidate(
                "candidate:1 1 udp 2122260223 name-\(number).local 50000 typ host")
        }
        #expect(await eventually { pair.offerer.transport.statistics.drops.candidates == 100 })
        #expect(asked == 8)
    }
}
