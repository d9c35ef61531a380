import MediaEngine
import Primitives
import RTP
import Testing

@Suite struct RTPSendStreamTests {
    private let origin = StreamOrigin(ssrc: SSRC(7), sequenceNumber: SequenceNumber(0xFFFE), timestamp: 0xFFFF_FF00)

    private func makeStream(levelID: UInt8? = 3) -> RTPSendStream {
        RTPSendStream(
            origin: origin, payloadType: PayloadType(111), clockRateHz: 48_000, levelExtensionID: levelID)
    }

    private func write(
        _ stream: inout RTPSendStream, _ payload: [UInt8] = [1, 2, 3], position: Int64,
        level: AudioLevelExtension? = .silence, at now: MonoTime = .zero, capacity: Int = 1500
    ) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: capacity)
        let count = buffer.withUnsafeMutableBytes { buffer in
            payload.withUnsafeBytes {
                stream.write($0, position: position, ticks: 960, level: level, sampledAt: now, at: now, into: buffer)
            }
        }
        return Array(buffer[..<count])
    }

    @Test func numbersFollowAndWrap() throws {
        var stream = makeStream()
        let headers = try (0..<4).map { index in
            try RTPPacket(parsing: write(&stream, position: Int64(index) * 960).span.bytes).header
        }
        #expect(headers.map(\.sequenceNumber.rawValue) == [0xFFFE, 0xFFFF, 0, 1])
        #expect(headers.map(\.timestamp) == [0xFFFF_FF00, 704, 1664, 2624])
        #expect(headers.allSatisfy { $0.ssrc == SSRC(7) && $0.payloadType == PayloadType(111) })
    }

    /// The time of a sender report is that of the sampling, not of the writing (RFC 3550, section 6.4.1).
    @Test func theReportTellsWhenSoundWasSampled() throws {
        var stream = makeStream()
        var buffer = [UInt8](repeating: 0, count: 200)
        let sampled = MonoTime.zero + .milliseconds(100)
        let count = buffer.withUnsafeMutableBytes { buffer in
            [UInt8](repeating: 1, count: 3).withUnsafeBytes {
                stream.write(
                    $0, position: 0, ticks: 960, level: nil, sampledAt: sampled, at: sampled + .milliseconds(35),
                    into: buffer)
            }
        }
        try #require(count > 0)
        let report = stream.senderReport(ntp: NTPTime(bits: 5), at: sampled + .milliseconds(50))
        #expect(report?.rtpTimestamp == origin.timestamp &+ 2400 && report?.ntp == NTPTime(bits: 5))
    }

    @Test func markerStartsEachTalkspurt() throws {
        var stream = makeStream()
        let positions: [Int64] = [0, 960, 1920, 48_000, 48_960]
        let markers = try positions.map { position in
            try RTPPacket(parsing: write(&stream, position: position).span.bytes).header.marker
        }
        #expect(markers == [true, false, false, true, false])
    }

    @Test func everyPacketCarriesItsLevel() throws {
        var stream = makeStream()
        let level = AudioLevelExtension(belowOverload: 30, isVoice: true)
        let bytes = write(&stream, position: 0, level: level)
        let packet = try RTPPacket(parsing: bytes.span.bytes)
        #expect(packet.audioLevel(id: 3, in: bytes.span.bytes) == level)
        #expect(Array(bytes[packet.payloadRange]) == [1, 2, 3])
    }

    @Test func levelIsLeftOutUnlessNegotiated() throws {
        var stream = makeStream(levelID: nil)
        #expect(try RTPPacket(parsing: write(&stream, position: 0).span.bytes).extensions == nil)
    }

    @Test func everyPacketNamesItsMediaSection() throws {
        var stream = makeStream()
        stream.mid = HeaderExtensionElement(id: 4, value: Array("audio".utf8))
        for position in [Int64(0), 960] {
            let bytes = write(&stream, position: position)
            let elements = try RTPPacket(parsing: bytes.span.bytes).extensions?.elements(in: bytes.span.bytes)
            #expect(elements?.first { $0.id == 4 }?.value == Array("audio".utf8))
            #expect(elements?.map(\.id) == [3, 4])
        }
    }

    @Test func packetsAndBytesAreCounted() {
        var stream = makeStream()
        _ = write(&stream, [1, 2, 3], position: 0)
        _ = write(&stream, [1, 2], position: 960)
        #expect(stream.packetCount == 2)
        #expect(stream.payloadByteCount == 5)
        #expect(stream.headerByteCount == 40)
    }

    @Test func whatDoesNotFitIsNeitherNumberedNorCounted() throws {
        var stream = makeStream()
        #expect(write(&stream, position: 0, capacity: 22).isEmpty)
        #expect(stream.packetCount == 0)
        let header = try RTPPacket(parsing: write(&stream, position: 0).span.bytes).header
        #expect(header.sequenceNumber == origin.sequenceNumber)
        #expect(header.marker)
    }

    @Test func senderReportContinuesTheTimestamp() throws {
        var stream = makeStream()
        #expect(stream.senderReport(ntp: NTPTime(bits: 1), at: .zero) == nil)
        _ = write(&stream, position: 96_000, at: .zero)
        let report = try #require(stream.senderReport(ntp: NTPTime(bits: 1), at: .zero + .milliseconds(500)))
        #expect(report.rtpTimestamp == origin.timestamp &+ 96_000 &+ 24_000)
        #expect(report.packetCount == 1)
        #expect(report.byteCount == 3)
    }

    @Test func originsAreDrawnSoThatSRTPCannotMissAWrap() {
        var random = SplitMix64(seed: 5)
        let origins = (0..<1000).map { _ in StreamOrigin(using: &random) }
        #expect(origins.allSatisfy { $0.sequenceNumber.rawValue < 0x8000 && $0.ssrc.rawValue != 0 })
        #expect(Set(origins.map(\.ssrc)).count > 990)
        #expect(Set(origins.map(\.timestamp)).count > 990)
    }
}
