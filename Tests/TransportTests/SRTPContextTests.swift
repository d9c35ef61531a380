import Primitives
import Testing

@testable import Transport

@Suite struct SRTPContextTests {
    private func contexts(_ profile: SRTPProfile) throws -> SRTPLink {
        let key = (0..<(profile.keyByteCount + profile.saltByteCount)).map { UInt8($0) }
        let exported = [UInt8](repeating: 7, count: SRTPKeys.exportedByteCount(profile))
        var keys = try #require(SRTPKeys(profile, exported: exported, isClient: true))
        keys.sending = key
        keys.receiving = key
        return try SRTPLink(keys)
    }

    private func seal(_ packet: [UInt8], _ link: SRTPLink, rtcp: Bool = false) -> [UInt8]? {
        var buffer = packet + [UInt8](repeating: 0, count: SRTPContext.overhead)
        let count = buffer.withUnsafeMutableBytes { bytes in
            rtcp
                ? link.outgoing.protectRTCP(bytes, count: packet.count)
                : link.outgoing.protectRTP(bytes, count: packet.count)
        }
        return count.map { Array(buffer[..<$0]) }
    }

    private func open(_ packet: [UInt8], _ link: SRTPLink, rtcp: Bool = false) -> (SRTPContext.Outcome, [UInt8]) {
        var buffer = packet
        let outcome = buffer.withUnsafeMutableBytes { bytes in
            rtcp ? link.incoming.unprotectRTCP(bytes) : link.incoming.unprotectRTP(bytes)
        }
        guard case .plain(let count) = outcome else { return (outcome, []) }
        return (outcome, Array(buffer[..<count]))
    }

    @Test(arguments: SRTPProfile.allCases)
    func whatIsSealedOpensOnce(_ profile: SRTPProfile) throws {
        let link = try contexts(profile)
        let packet = Peer.rtp(1, [UInt8](repeating: 5, count: 100))
        let sealed = try #require(seal(packet, link))
        #expect(sealed.count == packet.count + (profile == .aeadAES128GCM ? 16 : 10))
        #expect(open(sealed, link).1 == packet)
        #expect(open(sealed, link).0 == .replayed)
        let report = try #require(seal(Peer.receiverReport, link, rtcp: true))
        #expect(open(report, link, rtcp: true).1 == Peer.receiverReport)
        #expect(open(report, link, rtcp: true).0 == .replayed)
    }

    @Test(arguments: SRTPProfile.allCases)
    func aPacketLateByAThousandStillCountsAndTheSequenceWraps(_ profile: SRTPProfile) throws {
        let link = try contexts(profile)
        let sequences = (0..<1100).map { UInt16(truncatingIfNeeded: 65_000 + $0) }
        let sealed = try sequences.map { try #require(seal(Peer.rtp($0, [1]), link)) }
        #expect(open(sealed[0], link).1 == Peer.rtp(sequences[0], [1]))
        for index in 2..<1020 { #expect(open(sealed[index], link).1.isEmpty == false) }
        #expect(open(sealed[1], link).1 == Peer.rtp(sequences[1], [1]))
        for index in 1020..<1100 { #expect(open(sealed[index], link).1 == Peer.rtp(sequences[index], [1])) }
    }

    @Test(arguments: SRTPProfile.allCases)
    func noPrefixAndNoMutationOpens(_ profile: SRTPProfile) throws {
        let link = try contexts(profile)
        let sealed = try #require(seal(Peer.rtp(3, [UInt8](repeating: 9, count: 40)), link))
        let report = try #require(seal(Peer.receiverReport, link, rtcp: true))
        for original in [sealed, report] {
            for length in 0..<original.count {
                #expect(open(Array(original[..<length]), link, rtcp: original == report).1.isEmpty)
            }
        }
        var random = SplitMix64(seed: 3)
        for round in 0..<20_000 {
            let rtcp = round % 2 == 1
            var mutated = rtcp ? report : sealed
            let place = Int.random(in: 0..<mutated.count, using: &random)
            mutated[place] ^= UInt8.random(in: 1...255, using: &random)
            #expect(open(mutated, link, rtcp: rtcp).1.isEmpty)
        }
        #expect(!open(sealed, link).1.isEmpty)
    }

    @Test func whatIsNoPacketOrHasNoRoomIsNotSealed() throws {
        let link = try contexts(.aeadAES128GCM)
        #expect(seal([0x80, 0x6F, 0], link) == nil)
        #expect(seal([0x80, 201], link, rtcp: true) == nil)
        var tight = Peer.rtp(1, [1, 2, 3])
        let count = tight.count
        #expect(tight.withUnsafeMutableBytes { link.outgoing.protectRTP($0, count: count) } == nil)
    }

    @Test func clientAndServerCutTheSameKeysDifferently() throws {
        let exported = (0..<56).map { UInt8($0) }
        let client = try #require(SRTPKeys(.aeadAES128GCM, exported: exported, isClient: true))
        let server = try #require(SRTPKeys(.aeadAES128GCM, exported: exported, isClient: false))
        #expect(client.sending == Array(0..<16) + Array(32..<44))
        #expect(client.receiving == Array(16..<32) + Array(44..<56))
        #expect(server.sending == client.receiving)
        #expect(SRTPKeys(.aes128CMSHA1Tag80, exported: exported, isClient: true) == nil)
    }
}
