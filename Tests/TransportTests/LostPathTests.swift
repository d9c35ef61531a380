import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// What happens when nothing is heard any more. libnice takes about 10 s to notice, and these wait for it.
@Suite @EngineActor struct LostPathTests {
    @Test func aVanishedPeerIsNoticed() async throws {
        var configuration = PeerPair.loopback
        configuration.failureGrace = .milliseconds(200)
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        pair.offerer.drop()
        #expect(await eventually(within: .seconds(30)) { pair.answerer.transport.state == .failed })
        #expect(pair.answerer.states == [.connecting, .connected, .disconnected, .failed])
        #expect(!pair.answerer.hasRemoteClosed)
        #expect(pair.answerer.failure?.code == .ice)
    }

    @Test func aPathThatLibniceCallsConnectedAndCannotSendIsNot() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        let agents = [pair.offerer.transport.agent, pair.answerer.transport.agent]
        agents.forEach { $0.setListening(false) }
        #expect(await eventually(within: .seconds(30)) { pair.answerer.transport.state == .disconnected })
        agents.forEach { $0.setListening(true) }
        let end = MonoTime.now() + .seconds(2)
        while MonoTime.now() < end {
            let refused = pair.answerer.transport.statistics.drops.socketRefused
            pair.answerer.send(rtp: UInt16(refused), payload: [1])
            if pair.answerer.transport.state == .connected {
                #expect(pair.answerer.transport.statistics.drops.socketRefused == refused)
            }
            await passTime(.milliseconds(20))
        }
        #expect(pair.answerer.failure == nil, "not before the grace is over")
    }

    @Test func aRestartRevivesAPathThatHasFailed() async throws {
        var configuration = PeerPair.loopback
        configuration.failureGrace = .milliseconds(100)
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        for agent in [pair.offerer.transport.agent, pair.answerer.transport.agent] { agent.setListening(false) }
        let bothFailed = await eventually(within: .seconds(30)) {
            pair.offerer.transport.state == .failed && pair.answerer.transport.state == .failed
        }
        #expect(bothFailed)
        _ = try pair.offerer.transport.restartICE()
        try pair.answer()
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        try pair.takeAnswer()
        #expect(await eventually { pair.isConnected })
        #expect(await pair.exchangesMedia())
    }
}
