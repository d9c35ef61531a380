import Glibc
import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

@Suite(.serialized) @EngineActor struct PeerTransportTests {
    @Test(arguments: [DTLSRole.client, .server], SRTPProfile.allCases)
    func bothRolesAndBothProfilesCarryMedia(_ role: DTLSRole, _ profile: SRTPProfile) async throws {
        var configuration = PeerPair.loopback
        configuration.profiles = [profile]
        let pair = try PeerPair(configuration, configuration)
        pair.answererRole = role
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(await pair.exchangesMedia())
        pair.offerer.transport.sendRTCP(Peer.receiverReport)
        #expect(await eventually { pair.answerer.receivedRTCP == [Peer.receiverReport] })
        let statistics = pair.answerer.transport.statistics
        #expect(statistics.srtpCipher == profile.name)
        #expect(statistics.dtlsRole == role)
        #expect(statistics.tlsVersion == "FEFD")
        #expect(statistics.dtlsCipher == "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")
        #expect(statistics.selectedPair?.remote.address == "127.0.0.1")
        #expect(pair.offerer.states == [.connecting, .connected])
    }

    @Test func gcmIsPreferredWhenBothSidesHaveBoth() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(pair.offerer.transport.statistics.srtpCipher == SRTPProfile.aeadAES128GCM.name)
    }

    @Test func aWrongFingerprintFailsAndNoMediaFlows() async throws {
        let pair = try PeerPair()
        pair.fingerprintForOfferer = pair.fingerprintForAnswerer
        defer { pair.close() }
        try await pair.signal()
        #expect(await eventually { pair.offerer.transport.state == .failed })
        #expect(pair.offerer.failure?.code == .fingerprint)
        pair.offerer.send(rtp: 1, payload: [1])
        #expect(pair.offerer.transport.statistics.drops.unsendable == 1)
        #expect(!pair.offerer.states.contains(.connected))
    }

    @Test func handshakeDatagramsBeforeTheAnswerAreKeptAndReplayed() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        try pair.answer()
        pair.wire(pair.offerer, to: pair.answerer)
        pair.wire(pair.answerer, to: pair.offerer)
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        // The offerer knows the peer's ICE credentials, not yet its fingerprint.
        #expect(pair.offerer.transport.agent.setRemote(pair.answerer.transport.localParameters.credentials))
        for line in pair.answerer.candidates {
            pair.offerer.transport.agent.addRemote(try ICECandidate(line: line))
        }
        #expect(await eventually { !pair.offerer.transport.early.isEmpty })
        try pair.takeAnswer()
        #expect(await eventually { pair.isConnected })
        #expect(pair.offerer.transport.statistics.drops.earlyOverflow == 0)
        #expect(await pair.exchangesMedia())
    }

    @Test func brokenKeysConnectAndCarryNothing() async throws {
        var configuration = PeerPair.loopback
        configuration.breaksKeys = true
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        for sequence in 0..<10 { pair.offerer.send(rtp: UInt16(sequence), payload: [1, 2, 3]) }
        #expect(await eventually { pair.answerer.transport.statistics.drops.notAuthentic == 10 })
        #expect(pair.answerer.received.isEmpty)
    }

    @Test func noCommonProfileIsAFailure() async throws {
        var one = PeerPair.loopback
        one.profiles = [.aeadAES128GCM]
        var other = PeerPair.loopback
        other.profiles = [.aes128CMSHA1Tag80]
        let pair = try PeerPair(one, other)
        defer { pair.close() }
        try await pair.signal()
        #expect(await eventually { pair.offerer.failure != nil })
        #expect(!pair.offerer.states.contains(.connected))
    }

    @Test func aRestartKeepsMediaAndMovesToNewSockets() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        let before = pair.offerer.transport.statistics
        let credentials = try pair.offerer.transport.restartICE()
        #expect(credentials == pair.offerer.transport.localParameters.credentials)
        #expect(credentials.ufrag != before.localUfrag)
        #expect(await pair.exchangesMedia(), "media goes on over the old pair")
        try pair.answer()
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        try pair.takeAnswer()
        #expect(await eventually { pair.offerer.transport.statistics.localUfrag == credentials.ufrag })
        #expect(await eventually { pair.answerer.transport.nextAgent == nil })
        #expect(await pair.exchangesMedia(from: 100))
        let after = pair.offerer.transport.statistics
        #expect(after.selectedPair?.local.port != before.selectedPair?.local.port)
        #expect(pair.offerer.states == [.connecting, .connected])
    }

    @Test func closingIsSeenByThePeerAtOnce() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        let before = MonoTime.now()
        pair.offerer.transport.close()
        pair.offerer.transport.close()
        #expect(await eventually { pair.answerer.hasRemoteClosed })
        #expect(MonoTime.now() - before < .seconds(1))
        #expect(pair.offerer.transport.state == .closed)
        #expect(pair.answerer.transport.statistics.dtlsState == .closed)
    }

    @Test func tamperedAndReplayedPacketsAreCountedAndDropped() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        let packet = Peer.rtp(7, [9, 9, 9])
        let link = try #require(pair.offerer.transport.link)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 16)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: packet)
        let count = link.outgoing.protectRTP(buffer, count: packet.count)
        let sealed = [UInt8](buffer[..<(try #require(count))])
        var tampered = sealed
        tampered[14] ^= 1
        for datagram in [tampered, sealed, sealed, [0x80], [0x80, 0x6F, 0, 1], [0, 1, 2]] {
            datagram.withUnsafeBytes { pair.offerer.transport.put($0) }
        }
        #expect(await eventually { pair.answerer.transport.statistics.drops.malformed == 3 })
        let drops = pair.answerer.transport.statistics.drops
        #expect(drops.notAuthentic == 1)
        #expect(drops.replayed == 1)
        #expect(pair.answerer.received == [packet])
    }

    @Test func candidatesThatCannotBeUsedAreCountedNotFatal() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        let lines = [
            "candidate:1 1 udp 2122260223 host.example 50000 typ host",
            "candidate:1 1 tcp 1518280447 127.0.0.1 9 typ host",
            "candidate:1 2 UDP 2122260222 127.0.0.1 50001 typ host", "nonsense", "",
        ]
        lines.forEach { pair.offerer.transport.addRemoteCandidate($0) }
        #expect(pair.offerer.transport.statistics.drops.candidates == lines.count)
        #expect(try await pair.connect())
    }

    @Test func nothingIsLeftAfterAHundredConnections() async throws {
        func descriptorCount() -> Int { count(of: "/proc/self/fd") }
        func threadCount() -> Int { count(of: "/proc/self/task") }
        let warm = try PeerPair()
        #expect(try await warm.connect())
        warm.close()
        #expect(await eventually { warm.offerer.transport.state == .closed })
        await passTime(.milliseconds(20))
        let descriptors = descriptorCount()
        let threads = threadCount()
        for round in 0..<100 {
            let pair = try PeerPair()
            #expect(try await pair.connect(), "round \(round)")
            pair.close()
        }
        #expect(await eventually { descriptorCount() <= descriptors })
        #expect(threadCount() <= threads + 4)
    }

    private func count(of directory: String) -> Int {
        guard let handle = opendir(directory) else { return -1 }
        defer { closedir(handle) }
        var count = 0
        while readdir(handle) != nil { count += 1 }
        return count
    }

    @Test func whoHasFailedTellsALaterReasonToo() throws {
        let pair = try PeerPair()
        defer { pair.close() }
        for (reason, isTold) in [("no port", true), ("no way", true), ("no way", false)] {
            let error = TransportError(.ice, reason)
            pair.offerer.failure = nil
            pair.offerer.transport.fail(error)
            #expect(pair.offerer.failure == (isTold ? error : nil))
        }
        #expect(pair.offerer.states == [.failed])
    }
}
