import Primitives
import RTP
import Testing

@Suite struct HeaderExtensionTests {
    private func elements(of name: String) throws -> [HeaderExtensionElement] {
        let bytes = Fixture.bytes(name, in: RTPFixtures.good)
        return try RTPPacket(parsing: bytes.span.bytes).extensions?.elements(in: bytes.span.bytes) ?? []
    }

    @Test(arguments: ["rtp-level-one-byte-form", "rtp-level-two-byte-form"])
    func bothFormsCarryTheLevel(name: String) throws {
        let bytes = Fixture.bytes(name, in: RTPFixtures.good)
        let packet = try RTPPacket(parsing: bytes.span.bytes)
        #expect(packet.audioLevel(id: 1, in: bytes.span.bytes)?.belowOverload == 18)
        #expect(packet.audioLevel(id: 2, in: bytes.span.bytes) == nil)
    }

    @Test func paddingBetweenElementsIsSkipped() throws {
        let found = try elements(of: "rtp-extension-padding-between")
        #expect(found == [.init(id: 1, value: [5]), .init(id: 2, value: [0x61, 0x62])])
    }

    @Test(arguments: [
        "rtp-extension-id-15-ends", "rtp-extension-element-past-its-block",
    ])
    func whatFollowsAMalformedElementIsIgnored(name: String) throws {
        #expect(try elements(of: name) == [.init(id: 1, value: [5])])
    }

    @Test(arguments: [
        "rtp-extension-id-0-with-length-ends", "rtp-two-byte-element-past-its-block", "rtp-two-byte-id-without-length",
        "rtp-extension-of-no-words", "rtp-extension-profile-unknown",
    ])
    func nothingIsFoundWhereNothingIsWhole(name: String) throws {
        #expect(try elements(of: name).isEmpty)
    }

    @Test func twoByteElementsMayBeEmpty() throws {
        #expect(try elements(of: "rtp-extension-element-without-value") == [.init(id: 5, value: [])])
    }

    @Test(arguments: [
        (0.0, UInt8(0)), (-0.4, 0), (-18.5, 19), (-127, 127), (-500, 127), (3, 0), (-.infinity, 127), (.nan, 127),
    ])
    func levelsAreRoundedAndClamped(dBov: Double, below: UInt8) {
        #expect(AudioLevelExtension(dBov: dBov, isVoice: false).belowOverload == below)
    }

    @Test func everyLevelByteSurvivesTheRoundTrip() {
        for byte in UInt8.min...UInt8.max {
            #expect(AudioLevelExtension(byte: byte).byte == byte)
        }
        #expect(AudioLevelExtension.silence.dBov == -127)
    }

    @Test func levelWithoutAByteIsNone() {
        #expect(AudioLevelExtension(parsing: [UInt8]().span.bytes) == nil)
    }

    @Test func transportNumbersAreWrittenIntoTheRoomMadeForThem() throws {
        let header = RTPHeader(
            payloadType: PayloadType(96), sequenceNumber: SequenceNumber(1), timestamp: 2, ssrc: SSRC(3))
        let room = HeaderExtensionElement(id: 5, value: [0, 0])
        var bytes = try #require(
            RTPPacket.bytes(header, extensions: [.init(id: 1, value: [9]), room], payload: [7, 7]))
        let number = SequenceNumber(0xABCD)
        let isWritten = bytes.withUnsafeMutableBytes {
            DepartureExtension.sequenceNumber(id: 5).write(number, at: .zero, into: $0)
        }
        #expect(isWritten)
        let packet = try RTPPacket(parsing: bytes.span.bytes)
        #expect(packet.transportSequence(id: 5, in: bytes.span.bytes) == number)
        #expect(packet.transportSequence(id: 6, in: bytes.span.bytes) == nil)
        #expect(packet.extensions?.elements(in: bytes.span.bytes).last?.value == [0xAB, 0xCD])
        let before = bytes
        for id: UInt8 in [1, 6] {
            let isWritten = bytes.withUnsafeMutableBytes {
                DepartureExtension.sequenceNumber(id: id).write(number, at: .zero, into: $0)
            }
            #expect(!isWritten && bytes == before)
        }
    }

    @Test(arguments: [
        (Duration.zero, [0, 0, 0]), (.seconds(1), [4, 0, 0]), (.milliseconds(63_500), [0xFE, 0, 0]),
        (.seconds(64), [0, 0, 0]), (.nanoseconds(3815), [0, 0, 1]),
    ])
    func departuresHaveTheirTimeInSixAndEighteenBits(_ time: Duration, _ expected: [UInt8]) throws {
        let header = RTPHeader(
            payloadType: PayloadType(96), sequenceNumber: SequenceNumber(1), timestamp: 2, ssrc: SSRC(3))
        let departure = DepartureExtension.time(id: 2)
        var bytes = try #require(RTPPacket.bytes(header, extensions: [departure.element], payload: [7]))
        let isWritten = bytes.withUnsafeMutableBytes { departure.write(SequenceNumber(9), at: .zero + time, into: $0) }
        #expect(isWritten)
        let packet = try RTPPacket(parsing: bytes.span.bytes)
        #expect(packet.extensions?.elements(in: bytes.span.bytes) == [.init(id: 2, value: expected)])
    }
}
