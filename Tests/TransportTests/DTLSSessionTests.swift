import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// Two sessions and what travels between them.
private final class SessionPair {
    let client: DTLSSession
    let server: DTLSSession

    init(
        clientExpects: [DTLSFingerprint], serverExpects: [DTLSFingerprint], client: DTLSIdentity, server: DTLSIdentity
    ) throws {
        self.client = try DTLSSession(.client, identity: client, fingerprints: clientExpects)
        self.server = try DTLSSession(.server, identity: server, fingerprints: serverExpects)
    }

    convenience init() throws {
        let (one, two) = (try DTLSIdentity(), try DTLSIdentity())
        try self.init(clientExpects: [two.fingerprint], serverExpects: [one.fingerprint], client: one, server: two)
    }

    /// Moves datagrams until none is left, each changed by `change` (`nil` loses it).
    func run(_ change: ([UInt8]) -> [UInt8]? = { $0 }) {
        client.start()
        while true {
            let (fromClient, fromServer) = (client.takeOutgoing(), server.takeOutgoing())
            if fromClient.isEmpty, fromServer.isEmpty { return }
            for datagram in fromClient.compactMap(change) { datagram.withUnsafeBytes { server.receive($0) } }
            for datagram in fromServer.compactMap(change) { datagram.withUnsafeBytes { client.receive($0) } }
        }
    }

    var keys: (client: SRTPKeys?, server: SRTPKeys?) {
        (Self.keys(client), Self.keys(server))
    }

    private static func keys(_ session: DTLSSession) -> SRTPKeys? {
        if case .connected(let keys) = session.state { keys } else { nil }
    }
}

@Suite struct DTLSSessionTests {
    @Test func bothSidesGetTheSameKeysTurnedAround() throws {
        let pair = try SessionPair()
        pair.run()
        let (client, server) = pair.keys
        #expect(client != nil)
        #expect(client?.sending == server?.receiving)
        #expect(client?.receiving == server?.sending)
        #expect(client?.sending != client?.receiving)
        #expect(client?.profile == .aeadAES128GCM)
        #expect(pair.client.timeLeft == nil)
    }

    @Test(arguments: DTLSFingerprint.Hash.allCases)
    func theFingerprintMayUseAnyStrongHashAndEitherCase(_ hash: DTLSFingerprint.Hash) throws {
        let (one, two) = (try DTLSIdentity(), try DTLSIdentity())
        let promised = try #require(two.fingerprint(hash))
        let lower = try #require(DTLSFingerprint("\(hash.rawValue.uppercased()) \(promised.value.lowercased())"))
        let pair = try SessionPair(
            clientExpects: [lower], serverExpects: [one.fingerprint], client: one, server: two)
        pair.run()
        #expect(pair.keys.client != nil)
    }

    @Test func aStrangersCertificateGivesNoKeys() throws {
        let (one, two, other) = (try DTLSIdentity(), try DTLSIdentity(), try DTLSIdentity())
        let pair = try SessionPair(
            clientExpects: [two.fingerprint], serverExpects: [other.fingerprint], client: one, server: two)
        pair.run()
        guard case .failed(let error) = pair.server.state else {
            Issue.record("\(pair.server.state)")
            return
        }
        #expect(error.code == .fingerprint)
        #expect(pair.keys.server == nil)
        guard case .failed(let alert) = pair.client.state else {
            Issue.record("\(pair.client.state)")
            return
        }
        #expect(alert.description.contains("bad certificate"), "the stranger is told")
    }

    @Test func closeNotifyEndsTheOtherSide() throws {
        let pair = try SessionPair()
        pair.run()
        pair.client.close()
        pair.run()
        #expect(pair.client.state == .closed)
        #expect(pair.server.state == .closed)
    }

    @Test func everyPrefixAndManyMutationsAreSurvived() throws {
        var random = SplitMix64(seed: 11)
        for round in 0..<60 {
            let pair = try SessionPair()
            pair.run { datagram in
                var datagram = datagram
                if round % 2 == 0 {
                    datagram.removeLast(Int.random(in: 0..<datagram.count, using: &random))
                } else {
                    for _ in 0..<3 {
                        let place = Int.random(in: 0..<datagram.count, using: &random)
                        datagram[place] ^= UInt8(truncatingIfNeeded: random.next())
                    }
                }
                return datagram
            }
            #expect(pair.keys.client == nil || pair.keys.client?.sending == pair.keys.server?.receiving)
        }
    }

    @Test func garbageDoesNotStopAHandshake() throws {
        let pair = try SessionPair()
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let junk = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
            junk.withUnsafeBytes { pair.server.receive($0) }
        }
        pair.run()
        #expect(pair.keys.server != nil)
    }

    @Test @EngineActor func aLostFlightIsSentAgainAfterFiftyMilliseconds() async throws {
        let pair = try SessionPair()
        pair.client.start()
        _ = pair.client.takeOutgoing()
        #expect((pair.client.timeLeft ?? .zero) <= .milliseconds(50))
        let done = await eventually {
            pair.client.handleTimeout()
            pair.run()
            return pair.keys.client != nil
        }
        #expect(done)
        #expect(pair.client.retransmissionCount == 1)
    }

    @Test @EngineActor func lossOfATenthDelaysButDoesNotPrevent() async throws {
        for seed in 0..<10 {
            let pair = try SessionPair()
            var random = SplitMix64(seed: UInt64(seed))
            let done = await eventually {
                pair.run { random.unit() < 0.1 ? nil : $0 }
                pair.client.handleTimeout()
                pair.server.handleTimeout()
                return pair.keys.client != nil && pair.keys.server != nil
            }
            #expect(done, "seed \(seed)")
        }
    }
}

@Suite struct DTLSIdentityTests {
    @Test func pemKeepsTheIdentity() throws {
        let identity = try DTLSIdentity()
        let pem = try identity.pem()
        #expect(try DTLSIdentity(pem: pem).fingerprint == identity.fingerprint)
        #expect(String(decoding: pem, as: UTF8.self).contains("BEGIN PRIVATE KEY"))
        #expect(try DTLSIdentity().fingerprint != identity.fingerprint)
    }

    @Test func aKeyOfAnotherCertificateIsRefused() throws {
        let (one, two) = (try DTLSIdentity().pem(), try DTLSIdentity().pem())
        let certificate = String(decoding: two, as: UTF8.self).split(separator: "-----BEGIN CERT")[1]
        let key = String(decoding: one, as: UTF8.self).split(separator: "-----BEGIN CERT")[0]
        #expect(throws: TransportError.self) {
            try DTLSIdentity(pem: [UInt8]((key + "-----BEGIN CERT" + certificate).utf8))
        }
        #expect(throws: TransportError.self) { try DTLSIdentity(pem: []) }
        #expect(throws: TransportError.self) { try DTLSIdentity(pem: Array(one.prefix(100))) }
    }

    @Test(arguments: [
        "sha-256 AB", "sha-1 \(String(repeating: "AB:", count: 19))AB", "", "sha-256", "sha-256 ",
        "sha-256 \(String(repeating: "AB:", count: 31))AG", "sha-256 \(String(repeating: "AB:", count: 31))AB:",
        "sha-256 \(String(repeating: "AB:", count: 400))AB", "sha-256 \(String(repeating: "AB:", count: 31))+B",
    ])
    func malformedFingerprintsAreNone(_ text: String) {
        #expect(DTLSFingerprint(text) == nil)
    }
}
