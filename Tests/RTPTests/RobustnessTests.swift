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
        exercisePayload(payload.bytes)
    }

    private func exercisePayload(_ bytes: [UInt8]) {
        let span = bytes.span.bytes
        for payload in [VideoPayload(vp8: span), VideoPayload(vp9: span)].compactMap({ $0 }) {
            #expect(payload.headerByteCount < bytes.count)
        }
        var offset = 0
        if let descriptor = VP8Descriptor(span, at: &offset) {
            var writer = ByteWriter()
            descriptor.write(into: &writer)
            offset = 0
            let again = VP8Descriptor(writer.bytes.span.bytes, at: &offset)
            #expect(again?.pictureID == descriptor.pictureID && again?.temporalLayer == descriptor.temporalLayer)
        }
        offset = 0
        if let descriptor = VP9Descriptor(span, at: &offset) {
            var writer = ByteWriter()
            descriptor.write(into: &writer)
            offset = 0
            #expect(VP9Descriptor(writer.bytes.span.bytes, at: &offset) == descriptor)
        }
        if let original = RetransmissionPayload.original(in: span) {
            #expect(original.payload.upperBound == bytes.count)
        }
        if let redundant = RedundantPayload(parsing: span) {
            #expect(redundant.redundant.allSatisfy { $0.range.upperBound <= bytes.count })
            #expect(redundant.primary.upperBound == bytes.count)
        }
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

    @Test(arguments: VideoFixtures.all) func everyPrefixOfAPayloadParsesOrFails(_ fixture: Fixture) {
        for count in 0...fixture.bytes.count {
            exercisePayload(Array(fixture.bytes[..<count]))
        }
    }

    @Test func twentyThousandMutatedPayloadsParseOrFail() {
        var mutator = Mutator(corpus: VideoFixtures.all.map(\.bytes), seed: 3)
        for _ in 0..<20_000 {
            exercisePayload(mutator.next())
        }
    }

    @Test func twentyThousandMutatedReportsParseOrFail() {
        var mutator = Mutator(corpus: RTCPFixtures.all.map(\.bytes), seed: 2)
        for _ in 0..<20_000 {
            exerciseRTCP(mutator.next())
        }
    }
}
