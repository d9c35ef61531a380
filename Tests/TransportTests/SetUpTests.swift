import Glibc
import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// How soon media can flow. The impairment spares ICE's own checks, so the round trips here are those of DTLS: two,
/// where a whole set-up has one more.
@Suite(.serialized) @EngineActor struct SetUpTests {
    private func impaired(roundTrip: Duration, loss: Double, seed: UInt64) -> TransportConfiguration {
        var conditions = LossyLink.Conditions()
        conditions.delay = roundTrip / 2
        conditions.loss = loss > 0 ? .random(rate: loss) : .none
        var configuration = PeerPair.loopback
        configuration.impairment = LossyLink(conditions, seed: seed)
        return configuration
    }

    /// From the answer to the later side's `connected`.
    private func setUp(roundTrip: Duration, loss: Double = 0, seed: UInt64 = 1) async throws -> Duration {
        let pair = try PeerPair(
            impaired(roundTrip: roundTrip, loss: loss, seed: seed * 2),
            impaired(roundTrip: roundTrip, loss: loss, seed: seed * 2 + 1))
        defer { pair.close() }
        guard try await pair.connect(), let one = pair.offerer.connectedAt, let other = pair.answerer.connectedAt
        else { throw TransportError(.ice, "not connected") }
        return max(one, other) - pair.answeredAt
    }

    @Test(arguments: [0, 100, 300])
    func setUpTakesTwoRoundTripsOfDTLSAndLittleElse(_ milliseconds: Int) async throws {
        let roundTrip = Duration.milliseconds(milliseconds)
        var times: [Duration] = []
        for seed in 1...5 { times.append(try await setUp(roundTrip: roundTrip, seed: UInt64(seed))) }
        times.sort()
        // The best of five: what the machine does besides is not the claim.
        #expect(times[0] <= roundTrip * 2 + .milliseconds(50), "\(times.map(\.milliseconds))")
        print("set-up at \(milliseconds) ms round trip, median of 5: \(times[2].milliseconds) ms")
    }

    /// Whoever waits for a pacing interval of 5 ms before the first check is never that fast.
    @Test func noPacingIntervalPassesBeforeTheFirstCheck() async throws {
        var times: [Duration] = []
        for seed in 1...20 { times.append(try await setUp(roundTrip: .zero, seed: UInt64(seed))) }
        let best = try #require(times.min())
        #expect(best < .milliseconds(5), "\(times.map(\.milliseconds))")
    }

    @Test func aTenthLostStillConnectsWithinTwoSeconds() async throws {
        let roundTrip = Duration.milliseconds(100)
        var times: [Duration] = []
        let attempts = (0..<40).map { seed in
            Task { @EngineActor in try? await setUp(roundTrip: roundTrip, loss: 0.1, seed: UInt64(seed)) }
        }
        for attempt in attempts { if let time = await attempt.value { times.append(time) } }
        times.sort()
        #expect(times.count == 40)
        guard times.count == 40 else { return }
        #expect(times[37] <= .seconds(2), "\(times.map(\.milliseconds))")
        print("set-up at 10 % loss, 100 ms: median \(times[20].milliseconds) ms, p95 \(times[37].milliseconds) ms")
    }

    @Test func theRoundTripOfTheHandshakeIsMeasured() async throws {
        let configuration = impaired(roundTrip: .milliseconds(20), loss: 0, seed: 3)
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        let measured = try #require(pair.offerer.transport.statistics.handshakeRoundTrip)
        #expect(measured >= .milliseconds(20) && measured < .milliseconds(300))
    }

    @Test func theImpairmentLosesItsShareAndCountsIt() async throws {
        var conditions = LossyLink.Conditions()
        let pair = try PeerPair(impaired(roundTrip: .zero, loss: 0, seed: 5))
        defer { pair.close() }
        #expect(try await pair.connect())
        let before = pair.offerer.transport.statistics.impairedCount
        conditions.loss = .bursty(rate: 0.08, burst: 3)
        pair.offerer.transport.setImpairment(conditions)
        for sequence in 0..<2000 {
            pair.offerer.send(rtp: UInt16(sequence), payload: [1])
            if sequence % 16 == 0 { await passTime(.zero) }
        }
        let statistics = pair.offerer.transport.statistics
        #expect(statistics.impairedCount - before == 2000)
        let lost = statistics.impairmentLostCount
        #expect(abs(Double(lost) / 2000 - 0.08) < 0.03)
        #expect(await eventually { pair.answerer.received.count == 2000 - lost })
    }

    @Test func mediaPortsAreKeptTo() async throws {
        var configuration = PeerPair.loopback
        configuration.mediaPorts = 41_200...41_209
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        let candidates = try (pair.offerer.candidates + pair.answerer.candidates).map { try ICECandidate(line: $0) }
        #expect(candidates.count == 2)
        #expect(candidates.allSatisfy { (41_200...41_209).contains($0.port) })
    }

    @Test func noFreePortIsAFailureWithAReason() async throws {
        var configuration = PeerPair.loopback
        configuration.mediaPorts = 41_300...41_300
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        #expect(await eventually { pair.answerer.failure != nil })
        #expect(pair.answerer.failure?.description.contains("UDP port") == true)
        #expect(pair.offerer.candidates.count == 1)
    }

    @Test func aPathOverIPv6Works() async throws {
        var configuration = TransportConfiguration()
        configuration.localAddresses = .only(["::1"])
        let pair = try PeerPair(configuration, configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(pair.offerer.transport.statistics.selectedPair?.local.address == "::1")
    }

    @Test func loopbackIsOfferedOnlyWhenAsked() async throws {
        var configuration = TransportConfiguration()
        configuration.localAddresses = .interfacesAndLoopback
        let pair = try PeerPair(configuration, TransportConfiguration())
        defer { pair.close() }
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        #expect(await eventually { pair.offerer.candidates.contains { $0.contains(" 127.0.0.1 ") } })
        #expect(!pair.answerer.candidates.contains { $0.contains(" 127.0.0.1 ") })
    }

    @Test func aStunServerGivesAReflexiveCandidate() async throws {
        let server = try #require(StunServer())
        var configuration = PeerPair.loopback
        configuration.servers = ICEServerPool([ICEServer(.stun, host: "localhost", port: server.port)])
        let pair = try PeerPair(configuration)
        defer { pair.close() }
        pair.offerer.transport.gatherCandidates()
        #expect(await eventually { pair.offerer.candidates.contains { $0.contains("203.0.113.77 4242 typ srflx") } })
    }

    @Test func aServerWhoseNameIsUnknownHoldsNothingUp() async throws {
        var configuration = PeerPair.loopback
        configuration.servers = ICEServerPool([ICEServer(.stun, host: "no-such-name.invalid")])
        let pair = try PeerPair(configuration)
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(pair.offerer.candidates.count == 1)
    }

    @Test func sendingCostsLittle() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        let packet = Peer.rtp(1, [UInt8](repeating: 1, count: 100))
        let begun = MonoTime.now()
        for _ in 0..<2000 { pair.offerer.transport.sendRTP(packet) }
        let each = (MonoTime.now() - begun) / 2000
        #expect(each < .microseconds(200))
        print("one RTP packet of 100 bytes protected and sent: \(Double(each.nanoseconds) / 1000) µs")
    }
}

/// Answers binding requests (RFC 8489) with 203.0.113.77:4242, which no interface here has.
@EngineActor private final class StunServer {
    let port: UInt16
    private let descriptor: Int32
    private var source: DescriptorSource?

    init?() {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard let port = LoopbackPort.bind(descriptor) else { return nil }
        self.port = port
        source = DescriptorSource(descriptor, .readable) { [weak self] _ in self?.answer() }
    }

    isolated deinit {
        close(descriptor)
    }

    private func answer() {
        var request = [UInt8](repeating: 0, count: 1500)
        var from = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &from) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer in
                guard recvfrom(descriptor, &request, request.count, 0, peer, &length) >= 20 else { return }
                var reply = ByteWriter()
                reply.write(UInt16(0x0101))
                reply.write(UInt16(12))
                reply.write(request[4..<20])
                reply.write(UInt32(0x0020_0008))
                reply.write(UInt16(0x0001))
                reply.write(UInt16(4242) ^ 0x2112)
                reply.write(UInt32(0xCB00_714D) ^ 0x2112_A442)
                _ = sendto(descriptor, reply.bytes, reply.count, 0, peer, length)
            }
        }
    }
}
