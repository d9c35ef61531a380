import Primitives
import RTP
import Testing

@Suite struct DatagramClassTests {
    @Test func everyFirstByteHasItsClass() {
        for first in UInt8.min...UInt8.max {
            let expected: DatagramClass =
                switch first {
                case 0...3: .stun
                case 20...63: .dtls
                case 64...79: .turnChannel
                case 128...191: .rtp
                default: .unknown
                }
            #expect(DatagramClass([first, 0].span.bytes) == expected)
        }
    }

    @Test(arguments: [
        (UInt8(191), DatagramClass.rtp), (192, .rtcp), (200, .rtcp), (207, .rtcp), (223, .rtcp), (224, .rtp),
        (111, .rtp),
        (239, .rtp),
    ])
    func secondByteTellsRTCPFromRTP(second: UInt8, expected: DatagramClass) {
        #expect(DatagramClass([0x80, second].span.bytes) == expected)
    }

    @Test func tooShortIsUnknown() {
        #expect(DatagramClass([UInt8]().span.bytes) == .unknown)
        #expect(DatagramClass([UInt8(0x80)].span.bytes) == .unknown)
    }
}
