import Primitives
import RTP
import Testing

@Suite struct RTPPacketTests {
    @Test func fieldsAreReadWhereTheyAre() throws {
        let bytes = Fixture.bytes("rtp-opus", in: RTPFixtures.good)
        let packet = try RTPPacket(parsing: bytes.span.bytes)
        #expect(
            packet.header
                == RTPHeader(
                    payloadType: PayloadType(111), sequenceNumber: SequenceNumber(0x1234), timestamp: 3000,
                    ssrc: SSRC(0xDEAD_BEEF)))
        #expect(packet.payloadRange == 12..<16)
        #expect(packet.headerByteCount == 12)
        #expect(packet.extensions == nil)
    }

    @Test func markerAndLargestNumbersAreRead() throws {
        let bytes = Fixture.bytes("rtp-marker-and-wrapped-numbers", in: RTPFixtures.good)
        let header = try RTPPacket(parsing: bytes.span.bytes).header
        #expect(header.marker)
        #expect(header.sequenceNumber.rawValue == .max)
        #expect(header.timestamp == .max)
    }

    @Test func contributorsAreReadInOrder() throws {
        let bytes = Fixture.bytes("rtp-two-contributors", in: RTPFixtures.good)
        let packet = try RTPPacket(parsing: bytes.span.bytes)
        #expect(packet.contributors(in: bytes.span.bytes) == [SSRC(10), SSRC(11)])
        #expect(packet.payloadRange == 20..<21)
    }

    @Test(arguments: [
        ("rtp-padding-of-4", 1, 4), ("rtp-only-padding", 0, 4), ("rtp-only-padding-with-extension", 0, 2),
    ])
    func paddingIsNotPayload(name: String, payload: Int, padding: Int) throws {
        let bytes = Fixture.bytes(name, in: RTPFixtures.good)
        let packet = try RTPPacket(parsing: bytes.span.bytes)
        #expect(packet.payloadRange.count == payload)
        #expect(packet.paddingByteCount == padding)
    }

    @Test(arguments: RTPFixtures.good) func goodPacketsParse(_ fixture: Fixture) throws {
        _ = try RTPPacket(parsing: fixture.bytes.span.bytes)
    }

    @Test(arguments: RTPFixtures.bad) func badPacketsAreRefused(_ fixture: Fixture) {
        #expect(throws: RTPError.self) { try RTPPacket(parsing: fixture.bytes.span.bytes) }
    }

    @Test func errorsSayWhatWasMeasured() {
        #expect(throws: RTPError.truncated(need: 12, have: 11)) {
            try RTPPacket(parsing: Fixture.bytes("rtp-header-truncated", in: RTPFixtures.bad).span.bytes)
        }
        #expect(throws: RTPError.version(1)) {
            try RTPPacket(parsing: Fixture.bytes("rtp-version-1", in: RTPFixtures.bad).span.bytes)
        }
        #expect(throws: RTPError.padding(count: 3, have: 2)) {
            try RTPPacket(parsing: Fixture.bytes("rtp-padding-into-the-header", in: RTPFixtures.bad).span.bytes)
        }
    }

    @Test(arguments: RTPFixtures.good) func writingWhatWasParsedGivesItAgain(_ fixture: Fixture) throws {
        let span = fixture.bytes.span.bytes
        let packet = try RTPPacket(parsing: span)
        let written = try #require(
            RTPPacket.bytes(
                packet.header, contributors: packet.contributors(in: span), form: packet.extensions?.form ?? .oneByte,
                extensions: packet.extensions?.elements(in: span) ?? [],
                payload: span.extracting(packet.payloadRange).bytes, padding: UInt8(packet.paddingByteCount)))
        let again = try RTPPacket(parsing: written.span.bytes)
        #expect(again.header == packet.header)
        #expect(again.contributors(in: written.span.bytes) == packet.contributors(in: span))
        #expect(
            again.extensions?.elements(in: written.span.bytes) ?? [] == packet.extensions?.elements(in: span) ?? [])
        #expect(again.paddingByteCount == packet.paddingByteCount)
        #expect(
            written.span.bytes.extracting(again.payloadRange).bytes == span.extracting(packet.payloadRange).bytes)
    }
}
