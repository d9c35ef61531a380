import Primitives
import RTP
import Testing

@Suite struct PayloadTests {
    @Test(arguments: [
        // (contents byte, frame count byte, ticks, mode)
        (UInt8(0x00), UInt8(0), Int32(480), OpusPayload.Mode.silk),
        (0x18, 0, 2880, .silk),
        (0x48, 0, 960, .silk),
        (0x60, 0, 480, .hybrid),
        (0x78, 0, 960, .hybrid),
        (0x80, 0, 120, .celt),
        (0xF8, 0, 960, .celt),
        (0xF9, 0, 1920, .celt),
        (0xFA, 0, 1920, .celt),
        (0xFB, 3, 2880, .celt),
        (0x83, 48, 5760, .celt),
    ])
    func opusContentsByteTellsTheDuration(contents: UInt8, count: UInt8, ticks: Int32, mode: OpusPayload.Mode) {
        let payload = OpusPayload(parsing: [contents, count].span.bytes)
        #expect(payload?.ticks == ticks)
        #expect(payload?.mode == mode)
    }

    @Test(arguments: [[], [0xFB], [0xFB, 0], [0x1B, 3], [0x83, 49]] as [[UInt8]])
    func opusThatHasNoFrameOrTooManyIsNone(bytes: [UInt8]) {
        #expect(OpusPayload(parsing: bytes.span.bytes) == nil)
    }

    @Test func stereoIsSeen() {
        #expect(OpusPayload(parsing: [UInt8(0x7C)].span.bytes)?.isStereo == true)
        #expect(OpusPayload(parsing: [UInt8(0x78)].span.bytes)?.isStereo == false)
    }

    @Test func telephoneEventsSurviveTheRoundTrip() {
        for code in UInt8.min...UInt8.max {
            let event = TelephoneEvent(
                code: code, isEnd: code % 2 == 0, volume: code % 64, durationTicks: UInt16(code) * 200)
            #expect(TelephoneEvent(parsing: event.bytes.span.bytes) == event)
        }
        #expect(TelephoneEvent(parsing: [UInt8(1), 2, 3].span.bytes) == nil)
    }

    @Test func digitsHaveTheirCodes() {
        #expect("0123456789*#ABCD".compactMap(TelephoneEvent.code(of:)) == Array(0...15))
        #expect(TelephoneEvent.code(of: "b") == 13)
        #expect(TelephoneEvent.code(of: "x") == nil)
        #expect(TelephoneEvent(code: 11, isEnd: false, volume: 0, durationTicks: 0).digit == "#")
        #expect(TelephoneEvent(code: 16, isEnd: false, volume: 0, durationTicks: 0).digit == nil)
    }

    @Test func staticFormatsAreThoseOfTheProfile() {
        #expect(PayloadFormat.pcmu.staticType == PayloadType(0))
        #expect(PayloadFormat.pcma.staticType == PayloadType(8))
        #expect(PayloadFormat.opus.clockRateHz == 48_000)
        #expect(PayloadFormat.opus.channelCount == 2)
        #expect(G711Payload.ticks(byteCount: 160) == 160)
    }
}
