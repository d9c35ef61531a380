import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// Media over a real TURN server.
@Suite(.serialized) @EngineActor struct RelayTests {
    private func pool(
        _ turn: TurnServer, _ transport: ICEServer.Transport, secret: String = TurnServer.secret
    ) -> ICEServerPool {
        let server = ICEServer(
            .turn, transport, host: turn.address, port: transport == .tls ? turn.securePort : turn.port,
            credentials: TURNCredentials(user: TurnServer.user, secret: secret))
        return ICEServerPool([server], authorityFile: turn.certificateFile)
    }

    private func relayed(_ pool: ICEServerPool) -> TransportConfiguration {
        var configuration = PeerPair.loopback
        configuration.servers = pool
        configuration.relaysOnly = true
        return configuration
    }

    @Test(arguments: [ICEServer.Transport.udp, .tcp, .tls])
    func mediaFlowOverARelayAlone(_ transport: ICEServer.Transport) async throws {
        let turn = try TurnServer()
        let pair = try PeerPair(relayed(pool(turn, transport)), relayed(pool(turn, transport)))
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(await pair.exchangesMedia())
        for peer in [pair.offerer, pair.answerer] {
            let selected = try #require(peer.transport.statistics.selectedPair)
            #expect(selected.local.kind == .relayed && selected.remote.kind == .relayed)
            #expect(selected.relay?.transport == transport)
            let candidates = try peer.candidates.map { try ICECandidate(line: $0) }
            #expect(candidates.count == 1 && candidates.allSatisfy { $0.kind == .relayed })
            #expect(candidates.allSatisfy { $0.related?.address == "0.0.0.0" }, "the own address is not told")
        }
    }

    /// libnice alone would speak plain STUN here.
    @Test func turnOverTLSIsTLSOnTheWire() async throws {
        let turn = try TurnServer()
        let tap = try #require(WireTap(to: turn.securePort))
        let server = ICEServer(
            .turn, .tls, host: "localhost", port: tap.port,
            credentials: TURNCredentials(user: TurnServer.user, secret: TurnServer.secret))
        let servers = ICEServerPool([server], authorityFile: turn.certificateFile)
        let pair = try PeerPair(relayed(servers), PeerPair.loopback)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(await pair.exchangesMedia())
        for bytes in [tap.sent, tap.received] {
            let types = try #require(TLSRecords(bytes).types)
            #expect(types.first == 22 && types.contains(23), "a handshake, then data")
            #expect(bytes.count > 20 * 160, "all of the media")
            #expect(bytes.firstRange(of: [0x21, 0x12, 0xA4, 0x42]) == nil, "STUN's magic cookie")
            #expect(bytes.firstRange(of: [UInt8](TurnServer.user.utf8)) == nil)
        }
    }

    @Test func oneSidesRelayIsEnough() async throws {
        let turn = try TurnServer()
        let pair = try PeerPair(relayed(pool(turn, .udp)), PeerPair.loopback)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(await pair.exchangesMedia())
        #expect(pair.offerer.transport.statistics.selectedPair?.local.kind == .relayed)
        #expect(pair.answerer.transport.statistics.selectedPair?.relay == nil)
    }

    /// libnice asks for relayed addresses of IPv4 only, which is also what such a machine lacks.
    @Test(arguments: [ICEServer.Transport.udp, .tcp, .tls])
    func aMachineWithIPv6OnlyReachesIPv4OverARelay(_ transport: ICEServer.Transport) async throws {
        let turn = try TurnServer(address: "::1", relayAddress: "127.0.0.1")
        var configuration = relayed(pool(turn, transport))
        configuration.localAddresses = .only(["::1"])
        let pair = try PeerPair(configuration, PeerPair.loopback)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(await pair.exchangesMedia())
        #expect(pair.offerer.transport.statistics.selectedPair?.local.address == "127.0.0.1")
    }

    @Test func aRestartMovesToAnotherRelayedAddress() async throws {
        let turn = try TurnServer()
        let pair = try PeerPair(relayed(pool(turn, .tls)), PeerPair.loopback)
        defer { pair.close() }
        #expect(try await pair.connect())
        let before = pair.offerer.transport.statistics.selectedPair?.local.port
        let credentials = try pair.offerer.transport.restartICE()
        try pair.answer()
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        try pair.takeAnswer()
        #expect(await eventually { pair.offerer.transport.statistics.localUfrag == credentials.ufrag })
        #expect(await eventually { pair.answerer.transport.nextAgent == nil })
        #expect(await pair.exchangesMedia(from: 100))
        #expect(pair.offerer.transport.statistics.selectedPair?.local.port != before)
    }

    @Test func refusedCredentialsAreToldOnceForAllPeers() async throws {
        let turn = try TurnServer()
        let pool = pool(turn, .udp, secret: "wrong")
        var failures: [ICEServerFailure] = []
        pool.onFailure = { failures.append($0) }
        var configuration = PeerPair.loopback
        configuration.servers = pool
        for _ in 0..<2 {
            let pair = try PeerPair(configuration, PeerPair.loopback)
            defer { pair.close() }
            #expect(try await pair.connect(), "the direct way is not held up")
            #expect(await eventually { !failures.isEmpty })
        }
        #expect(failures.map(\.reason) == [.wrongCredentials])
        #expect(!failures[0].description.contains("wrong secret"))
    }

    @Test func theNearerOfTwoServersRelays() async throws {
        let far = try TurnServer()
        let near = try TurnServer()
        let detour = try #require(Detour(to: far.port, delay: .milliseconds(40)))
        let credentials = TURNCredentials(user: TurnServer.user, secret: TurnServer.secret)
        let servers = [detour.port, near.port].map {
            ICEServer(.turn, host: "127.0.0.1", port: $0, credentials: credentials)
        }
        let pair = try PeerPair(relayed(ICEServerPool(servers)), PeerPair.loopback)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(pair.offerer.transport.statistics.selectedPair?.relay == servers[1])
    }

    @Test func aServerThatIsDownLeavesTheOther() async throws {
        let up = try TurnServer()
        let silent = try #require(SilentPort())
        let credentials = TURNCredentials(user: TurnServer.user, secret: TurnServer.secret)
        let servers = [silent.port, up.port].map {
            ICEServer(.turn, host: "127.0.0.1", port: $0, credentials: credentials)
        }
        let pair = try PeerPair(relayed(ICEServerPool(servers)), PeerPair.loopback)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(pair.offerer.transport.statistics.selectedPair?.relay == servers[1])
    }
}
