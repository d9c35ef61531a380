import Primitives
import Testing

@testable import Transport

@Suite struct DataChannelControlTests {
    /// Channel types of RFC 8832, section 8.2.2, and what they mean.
    static let types: [(type: UInt8, isOrdered: Bool, reliability: DataChannelOptions.Reliability)] = [
        (0x00, true, .reliable), (0x80, false, .reliable), (0x01, true, .retransmissions(7)),
        (0x81, false, .retransmissions(7)), (0x02, true, .lifetime(milliseconds: 7)),
        (0x82, false, .lifetime(milliseconds: 7)),
    ]

    /// An opening as it stands in RFC 8832, section 5.1: label `chat`, protocol `x`.
    static func opening(_ type: UInt8, parameter: UInt8 = 7) -> [UInt8] {
        [0x03, type, 0x01, 0x00, 0, 0, 0, parameter, 0, 4, 0, 1] + Array("chatx".utf8)
    }

    private func parse(_ bytes: [UInt8]) -> DataChannelControl? {
        DataChannelControl(parsing: bytes.span.bytes)
    }

    @Test(arguments: types.indices)
    func everyChannelTypeIsReadAndWritten(_ index: Int) throws {
        let (type, isOrdered, reliability) = Self.types[index]
        var options = DataChannelOptions(label: "chat")
        options.subprotocol = "x"
        options.isOrdered = isOrdered
        options.reliability = reliability
        #expect(parse(Self.opening(type)) == .open(options))
        let parameter: UInt8 = reliability == .reliable ? 0 : 7
        #expect(DataChannelControl.open(options).bytes == Self.opening(type, parameter: parameter))
    }

    @Test func anAcknowledgementIsOneByte() {
        #expect(DataChannelControl.acknowledgement.bytes == [0x02])
        #expect(parse([0x02]) == .acknowledgement)
    }

    @Test func unknownTypesAreMalformed() {
        #expect(parse([]) == nil)
        #expect(parse([0x00]) == nil)
        #expect(parse([0x04]) == nil)
        #expect(parse(Self.opening(0x03)) == nil)
        #expect(parse(Self.opening(0x90)) == nil)
    }

    @Test func everyPrefixIsMalformed() {
        let whole = Self.opening(0x80)
        for count in whole.indices { #expect(parse(Array(whole[..<count])) == nil, "\(count) bytes") }
    }

    @Test func namesAreUTF8AndBounded() {
        var invalid = Self.opening(0)
        invalid[12] = 0xFF
        #expect(parse(invalid) == nil)
        let limit = DataChannelControl.nameLimit
        for (count, isTaken) in [(limit, true), (limit + 1, false)] {
            let options = DataChannelOptions(label: String(repeating: "a", count: count))
            #expect((parse(DataChannelControl.open(options).bytes) != nil) == isTaken)
        }
    }

    @Test func mutationsNeverTrapAndWhatParsesRoundTrips() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            var bytes = Self.opening(Self.types[Int(random.next() % 6)].type)
            for _ in 0...random.next() % 3 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
            }
            if random.next() % 4 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            guard let control = parse(bytes) else { continue }
            #expect(parse(control.bytes) == control)
        }
    }
}
