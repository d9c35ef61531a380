import Primitives
import RTP
import Testing

@Suite struct RTCPCompoundTests {
    private func compound(_ name: String) throws -> RTCPCompound {
        try RTCPCompound(parsing: Fixture.bytes(name, in: RTCPFixtures.all).span.bytes)
    }

    private let block = ReportBlock(
        source: SSRC(11), fractionLost: 32, cumulativeLost: -2, highestSequence: 0x1_0005, jitter: 96,
        lastSenderReport: 0x1111_2222, delaySinceLastSenderReport: 0x8000)

    @Test func senderReportAndNameAreRead() throws {
        let report = SenderReport(
            sender: SSRC(10), ntp: NTPTime(bits: 0x83AA_7E80_8000_0000), rtpTimestamp: 3000, packetCount: 5,
            byteCount: 500, blocks: [block])
        #expect(
            try compound("rtcp-sr-rr-sdes").packets == [
                .senderReport(report), .sourceDescription([.init(source: SSRC(10), canonicalName: "abcd")]),
            ])
    }

    @Test func receiverReportIsReadAndItsProfileExtensionIgnored() throws {
        #expect(
            try compound("rtcp-rr-one-block").packets == [.receiverReport(.init(sender: SSRC(10), blocks: [block]))])
        #expect(try compound("rtcp-rr-profile-extension").packets == [.receiverReport(.init(sender: SSRC(10)))])
    }

    @Test func nameIsFoundBehindOtherItems() throws {
        #expect(
            try compound("rtcp-sdes-tool-before-name").packets
                == [.sourceDescription([.init(source: SSRC(10), canonicalName: "a")])])
    }

    @Test func goodbyeHasItsReason() throws {
        #expect(
            try compound("rtcp-bye-with-reason").packets == [.goodbye(.init(sources: [SSRC(10)], reason: "gone!"))])
    }

    @Test func missingPacketsAreUnfolded() throws {
        let missing = [100, 101, 116, 65_535, 0].map { SequenceNumber($0) }
        #expect(
            try compound("rtcp-nack-two-entries").packets
                == [.nack(.init(sender: SSRC(10), media: SSRC(11), missing: missing))])
    }

    @Test func keyFrameRequestsAreRead() throws {
        #expect(try compound("rtcp-pli").packets == [.pictureLoss(sender: SSRC(10), media: SSRC(11))])
        #expect(
            try compound("rtcp-fir").packets
                == [.fullIntraRequest(.init(sender: SSRC(10), entries: [.init(media: SSRC(11), number: 7)]))])
    }

    @Test func maximumBitrateSaturates() throws {
        #expect(
            try compound("rtcp-remb").packets
                == [.maximumBitrate(.init(sender: SSRC(10), bitsPerSecond: 0x3FFFF << 1, media: [SSRC(11)]))])
        #expect(
            try compound("rtcp-remb-bitrate-overflows").packets
                == [.maximumBitrate(.init(sender: SSRC(10), bitsPerSecond: .max, media: []))])
    }

    @Test func arrivalsAreUnfolded() throws {
        let run = TransportFeedback(
            sender: SSRC(10), media: SSRC(11), base: SequenceNumber(100), packetCount: 3, referenceTime: 2, number: 7,
            arrivals: [.init(offset: 0, delta: 4), .init(offset: 1, delta: 8), .init(offset: 2, delta: 12)])
        #expect(try compound("rtcp-transport-feedback-run-of-small-deltas").packets == [.transportFeedback(run)])
        let vectors = TransportFeedback(
            sender: SSRC(10), media: SSRC(11), base: SequenceNumber(65_534), packetCount: 28, referenceTime: -1,
            number: 8,
            arrivals: [(0, 1), (14, 2), (15, 3), (16, -500), (19, 5)].map { .init(offset: $0.0, delta: $0.1) })
        #expect(
            try compound("rtcp-transport-feedback-vectors-and-large-deltas").packets == [.transportFeedback(vectors)])
    }

    @Test func everyPatternOfArrivalsSurvivesTheWire() throws {
        var random = SplitMix64(seed: 5)
        for round in 0..<300 {
            let count = Int.random(in: 1...(round % 10 == 0 ? 20_000 : 100), using: &random)
            let (arrived, large) = (random.unit(), random.unit() < 0.3 ? 0.2 : 0)
            let arrivals = (0..<count).filter { _ in random.unit() < arrived }.map {
                TransportFeedback.Arrival(
                    offset: UInt16($0),
                    delta: .random(in: random.unit() < large ? -0x8000...0x7FFF : 0...255, using: &random))
            }
            let feedback = RTCPPacket.transportFeedback(
                .init(
                    sender: SSRC(1), media: SSRC(2), base: SequenceNumber(.random(in: 0...0xFFFF, using: &random)),
                    packetCount: count, referenceTime: .random(in: -0x80_0000...0x7F_FFFF, using: &random),
                    number: UInt8(round & 0xFF), arrivals: arrivals))
            #expect(try RTCPCompound(parsing: RTCPCompound([feedback]).bytes.span.bytes).packets == [feedback])
        }
    }

    @Test func runsAndVectorsOfArrivalsAreShort() {
        func byteCount(_ offsets: some Sequence<Int>, of count: Int) -> Int {
            RTCPCompound([
                .transportFeedback(
                    .init(
                        sender: SSRC(1), media: SSRC(2), base: SequenceNumber(0), packetCount: count, referenceTime: 0,
                        number: 0, arrivals: offsets.map { .init(offset: UInt16($0), delta: 1) }))
            ]).bytes.count
        }
        #expect(byteCount(0..<100, of: 100) == 20 + 2 + 100 + 2)
        #expect(byteCount([], of: 65_535) == 20 + 9 * 2 + 2)
        #expect(byteCount(stride(from: 0, to: 28, by: 2), of: 28) == 20 + 2 * 2 + 14 + 2)
    }

    @Test func extendedReportKeepsWhatItKnows() throws {
        guard case .extendedReport(let report) = try compound("rtcp-xr-times-and-unknown-block").packets.first else {
            Issue.record("no extended report")
            return
        }
        let delay = ExtendedReport.Delay(
            receiver: SSRC(11), lastReferenceTime: 0x7E80_8000, delaySinceLastReferenceTime: 0x1_0000)
        #expect(report.blocks == [.referenceTime(NTPTime(bits: 0x83AA_7E80_8000_0000)), .delays([delay])])
        #expect(report.skippedCount == 1)
    }

    @Test func voiceMetricsAreRead() throws {
        guard case .extendedReport(let report) = try compound("rtcp-xr-voice-metrics").packets.first,
            case .voiceMetrics(let metrics) = report.blocks.first
        else {
            Issue.record("no voice metrics")
            return
        }
        #expect(metrics.source == SSRC(11))
        #expect([metrics.lossRate, metrics.discardRate] == [13, 5])
        #expect([metrics.roundTripMilliseconds, metrics.endSystemMilliseconds] == [80, 40])
        #expect([metrics.ratingFactor, metrics.listeningScoreTenths] == [80, 40])
        #expect(metrics.jitterBufferMilliseconds == 60)
    }

    @Test(arguments: RTCPFixtures.good) func writingWhatWasParsedGivesItAgain(_ fixture: Fixture) throws {
        let parsed = try RTCPCompound(parsing: fixture.bytes.span.bytes)
        #expect(parsed.skippedCount == 0)
        #expect(parsed.malformedCount == 0)
        let again = try RTCPCompound(parsing: parsed.bytes.span.bytes)
        #expect(again.bytes == parsed.bytes)
        #expect(again.packets.count == parsed.packets.count)
    }

    @Test(arguments: RTCPFixtures.skipped) func whatIsNotUnderstoodIsSkippedAndCounted(_ fixture: Fixture) throws {
        let parsed = try RTCPCompound(parsing: (fixture.bytes + fixture.bytes).span.bytes)
        #expect(parsed.packets.isEmpty)
        #expect(parsed.skippedCount == 2)
    }

    @Test(arguments: RTCPFixtures.malformed)
    func whatContradictsItselfIsDroppedAndItsNeighboursKept(_ fixture: Fixture) throws {
        let report = RTCPPacket.receiverReport(.init(sender: SSRC(1)))
        let neighbour = RTCPCompound([report]).bytes
        let parsed = try RTCPCompound(parsing: (neighbour + fixture.bytes + neighbour).span.bytes)
        #expect(parsed.packets == [report, report])
        #expect(parsed.malformedCount == 1)
    }

    @Test(arguments: RTCPFixtures.bad) func whatIsNotFramedIsRefusedWhole(_ fixture: Fixture) {
        #expect(throws: RTCPError.self) { try RTCPCompound(parsing: fixture.bytes.span.bytes) }
    }

    @Test func namesAreCutAt255Bytes() throws {
        let name = String(repeating: "n", count: 300)
        let bytes = RTCPCompound([.sourceDescription([.init(source: SSRC(1), canonicalName: name)])]).bytes
        let parsed = try RTCPCompound(parsing: bytes.span.bytes)
        #expect(
            parsed.packets == [.sourceDescription([.init(source: SSRC(1), canonicalName: String(name.prefix(255)))])])
    }

    @Test(arguments: 0..<8) func namesOfEveryLengthAreTerminatedAndPadded(length: Int) throws {
        let chunks = [
            SourceDescription(source: SSRC(1), canonicalName: String(repeating: "n", count: length)),
            SourceDescription(source: SSRC(2), canonicalName: nil),
        ]
        let bytes = RTCPCompound([.sourceDescription(chunks)]).bytes
        #expect(bytes.count % 4 == 0)
        #expect(try RTCPCompound(parsing: bytes.span.bytes).packets == [.sourceDescription(chunks)])
    }

    @Test func missingPacketsShareEntries() throws {
        let missing = [5, 6, 21, 22, 65_530, 0].map { SequenceNumber($0) }
        let nack = RTCPPacket.nack(.init(sender: SSRC(1), media: SSRC(2), missing: missing))
        let bytes = RTCPCompound([nack]).bytes
        #expect(bytes.count == 12 + 3 * 4)
        #expect(try RTCPCompound(parsing: bytes.span.bytes).packets == [nack])
    }

    @Test func cumulativeLossIsClampedTo24Bits() {
        var block = ReportBlock(
            source: SSRC(1), fractionLost: 0, cumulativeLost: .max, highestSequence: 0, jitter: 0)
        #expect(block.cumulativeLost == 0x7F_FFFF)
        block = ReportBlock(source: SSRC(1), fractionLost: 0, cumulativeLost: .min, highestSequence: 0, jitter: 0)
        #expect(block.cumulativeLost == -0x80_0000)
    }
}
