import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// What happens when nothing is heard any more. libnice takes 50 s to be sure, and this waits for it.
@Suite @EngineActor struct LostPathTests {
    @Test func aPathThatAnswersNothingFailsAndARestartRevivesIt() async throws {
        var configuration = PeerPair.loopback
        configuration.failureGrace = .milliseconds(100)
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        for agent in [pair.offerer.transport.agent, pair.answerer.transport.agent] { agent.setListening(false) }
        let bothFailed = await eventually(within: .seconds(70)) {
            pair.offerer.transport.state == .failed && pair.answerer.transport.state == .failed
        }
        #expect(bothFailed)
        #expect(pair.answerer.states == [.connecting, .connected, .disconnected, .failed])
        #expect(!pair.answerer.hasRemoteClosed)
        #expect(pair.answerer.failure?.code == .ice)
        _ = try pair.offerer.transport.restartICE()
        try pair.answer()
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        try pair.takeAnswer()
        #expect(await eventually { pair.isConnected })
        #expect(await pair.exchangesMedia())
    }
}
