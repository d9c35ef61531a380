import Primitives
import Reactor
import Testing

@testable import Transport

@Suite struct ICECandidateTests {
    private static let browserLines = [
        "candidate:3885250869 1 udp 2122260223 10.0.0.5 52001 typ host generation 0 ufrag abcd network-id 1",
        "a=candidate:842163049 1 UDP 1677729535 203.0.113.7 40000 typ srflx raddr 10.0.0.5 rport 52001 generation 0",
        "candidate:+/9 1 udp 41885439 198.51.100.2 3478 typ relay raddr 203.0.113.7 rport 40000",
        "candidate:0 1 UDP 2122252543 2001:db8::7 61000 typ host",
    ]

    @Test func browsersLinesAreReadAndWritten() throws {
        let candidates = try Self.browserLines.map { try ICECandidate(line: $0) }
        #expect(candidates.map(\.kind) == [.host, .serverReflexive, .relayed, .host])
        #expect(candidates[1].related == .init(address: "10.0.0.5", port: 52001))
        #expect(candidates.map(\.isIPv6) == [false, false, false, true])
        for candidate in candidates {
            #expect(try ICECandidate(line: candidate.description) == candidate)
        }
    }

    @Test(arguments: [
        ("candidate:1 1 udp 1 host.example 5000 typ host", ICECandidate.Refusal.name),
        ("candidate:1 1 udp 1 a.b.local 5000 typ host", .name), ("candidate:1 1 udp 1 .local 5000 typ host", .name),
        ("candidate:1 2 udp 1 10.0.0.1 5000 typ host", .component),
        ("candidate:1 1 tcp 1 10.0.0.1 9 typ host tcptype active", .transport),
        ("candidate:1 1 udp 1 10.0.0.1 0 typ host", .malformed),
        ("candidate:1 1 udp 1 10.0.0.1 70000 typ host", .malformed),
        ("candidate:1 1 udp 4294967296 10.0.0.1 5000 typ host", .malformed),
        ("candidate:1 1 udp 1 10.0.0.1 5000 typ magic", .malformed),
        ("candidate:1 1 udp 1 10.0.0.1 5000 host", .malformed),
        ("candidate:a\u{0}b 1 udp 1 10.0.0.1 5000 typ host", .malformed),
        ("candidate:123456789012345678901234567890123 1 udp 1 10.0.0.1 5000 typ host", .malformed),
        ("", .malformed),
    ])
    func whatCannotBeUsedSaysWhy(_ line: String, _ refusal: ICECandidate.Refusal) {
        #expect(throws: refusal) { try ICECandidate(line: line) }
    }

    @Test func prefixesAndMutationsNeitherTrapNorReachLibniceMalformed() async throws {
        for line in Self.browserLines {
            for length in 0...line.utf8.count { _ = try? ICECandidate(line: String(line.prefix(length))) }
        }
        var random = SplitMix64(seed: 9)
        var survivors: [ICECandidate] = []
        for round in 0..<20_000 {
            var bytes = [UInt8](Self.browserLines[round % Self.browserLines.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
            }
            guard let candidate = try? ICECandidate(line: String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(try ICECandidate(line: candidate.description) == candidate)
            survivors.append(candidate)
        }
        #expect(survivors.count > 1000)
        await offer(survivors.prefix(200))
    }

    @EngineActor private func offer(_ candidates: some Collection<ICECandidate> & Sendable) {
        let stream = NiceStream(isControlling: true, relaysOnly: false)
        for candidate in candidates { _ = stream.addRemote(candidate) }
        stream.tearDown()
    }

    @Test func aPublicAddressStandsBesideThePrivateOne() throws {
        let host = try ICECandidate(line: Self.browserLines[0])
        let mapped = try #require(host.mapped(to: "203.0.113.9"))
        #expect(mapped.address == "203.0.113.9")
        #expect(mapped.port == host.port)
        #expect(mapped.kind == .serverReflexive)
        #expect(mapped.related == .init(address: "10.0.0.5", port: 52001))
        #expect(mapped.priority < host.priority)
        #expect(host.mapped(to: "2001:db8::1") == nil)
        #expect(host.mapped(to: "10.0.0.5") == nil)
        #expect(mapped.mapped(to: "203.0.113.9") == nil)
    }

    @Test func credentialsAreHeldToTheirLengthsAndLetters() {
        let password = String(repeating: "p", count: 22)
        #expect(ICECredentials(ufrag: "ab+/", password: password).isValid)
        #expect(!ICECredentials(ufrag: "abc", password: password).isValid)
        #expect(!ICECredentials(ufrag: "abcd", password: String(password.dropLast())).isValid)
        #expect(!ICECredentials(ufrag: "ab d", password: password).isValid)
        #expect(!ICECredentials(ufrag: String(repeating: "a", count: 257), password: password).isValid)
    }

    @Test func namesAreResolvedWithoutBlocking() async throws {
        #expect(await HostLookup.addresses(of: "192.0.2.1", within: .seconds(1)) == ["192.0.2.1"])
        #expect(await HostLookup.addresses(of: "localhost", within: .seconds(1)).contains("127.0.0.1"))
        #expect(await HostLookup.addresses(of: "no-such-name.invalid", within: .seconds(1)).isEmpty)
    }
}
