import Primitives
import RTP
import Testing

/// No bytes whatever make a parser trap, and what it accepts it can write and read again.
@Suite struct RobustnessTests {
    private func exerciseRTP(_ bytes: [UInt8]) {
        let span = bytes.span.bytes
        _ = DatagramClass(span)
        guard let packet = try? RTPPacket(parsing: span) else { return }
        #expect(packet.payloadRange.upperBound + packet.paddingByteCount == bytes.count)
        _ = packet.contributors(in: span)
        _ = packet.audioLevel(id: 1, in: span)
        _ = packet.transportSequence(id: 2, in: span)
        _ = packet.extensions?.elements(in: span)
        let payload = span.extracting(packet.payloadRange)
        _ = OpusPayload(parsing: payload)
        _ = TelephoneEvent(parsing: payload)
    }

    private func exerciseRTCP(_ bytes: [UInt8]) {
        guard let parsed = try? RTCPCompound(parsing: bytes.span.bytes), !parsed.packets.isEmpty else { return }
        let again = try? RTCPCompound(parsing: parsed.bytes.span.bytes)
        #expect(again?.packets.count == parsed.packets.count)
        #expect(again?.malformedCount == 0)
    }

    @Test(arguments: RTPFixtures.good + RTPFixtures.bad) func everyPrefixOfAPacketParsesOrFails(_ fixture: Fixture) {
        for count in 0...fixture.bytes.count {
            exerciseRTP(Array(fixture.bytes[..<count]))
        }
    }

    @Test(arguments: RTCPFixtures.all) func everyPrefixOfAReportParsesOrFails(_ fixture: Fixture) {
        for count in 0...fixture.bytes.count {
            exerciseRTCP(Array(fixture.bytes[..<count]))
        }
    }

    @Test func twentyThousandMutatedPacketsParseOrFail() {
        var mutator = Mutator(corpus: (RTPFixtures.good + RTPFixtures.bad).map(\.bytes), seed: 1)
        for _ in 0..<20_000 {
            exerciseRTP(mutator.next())
        }
    }

    @Test func twentyThousandMutatedReportsParseOrFail() {
        var mutator = Mutator(corpus: RTCPFixtures.all.map(\.bytes), seed: 2)
        for _ in 0..<20_000 {
            exerciseRTCP(mutator.next())
        }
    }
}
