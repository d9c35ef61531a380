import MediaEngine
import Primitives
import RTP
import Testing

@Suite struct PayloadRepeaterTests {
    private let opus = PayloadType(111)

    private func parse(_ packed: [UInt8]) -> RedundantPayload? {
        RedundantPayload(parsing: packed.span.bytes)
    }

    /// What the packets carry, the payload's own part first and then the copies, the newer first.
    private func pack(
        _ payloads: [[UInt8]], copies: Int, position: (Int) -> Int64 = { Int64($0) * 960 }
    ) throws -> [[[UInt8]]] {
        var repeater = PayloadRepeater()
        return try payloads.enumerated().map { index, payload in
            let packed = payload.withUnsafeBytes {
                repeater.pack($0, type: opus, position: position(index), copies: copies)
            }
            guard let packed else { return [payload] }
            let parsed = try #require(parse(packed))
            #expect(parsed.primaryType == opus && parsed.redundant.allSatisfy { $0.payloadType == opus })
            return [Array(packed[parsed.primary])] + parsed.redundant.reversed().map { Array(packed[$0.range]) }
        }
    }

    @Test(arguments: 0...2) func eachPacketRepeatsTheOnesBeforeIt(copies: Int) throws {
        let payloads = (0..<5).map { [UInt8](repeating: $0, count: 3) }
        let packed = try pack(payloads, copies: copies)
        for index in payloads.indices {
            let first = max(0, index - copies)
            #expect(packed[index] == payloads[first...index].reversed())
        }
    }

    @Test func copiesTellTheirPlaceInTheSound() throws {
        var repeater = PayloadRepeater()
        for position in [Int64(0), 960] {
            _ = [1].withUnsafeBytes { repeater.pack($0, type: opus, position: position, copies: 2) }
        }
        let packed = try #require([1].withUnsafeBytes { repeater.pack($0, type: opus, position: 4800, copies: 2) })
        let parsed = try #require(parse(packed))
        #expect(parsed.redundant.map(\.timestampOffset) == [4800, 3840])
    }

    @Test func whatIsTooOldOrTooLongIsNotRepeatedNorWhatIsBeforeIt() throws {
        let small = [UInt8](repeating: 1, count: 3)
        let old = try pack([small, small, small], copies: 2) { $0 == 0 ? 0 : 20_000 + Int64($0) * 960 }
        #expect(old.map(\.count) == [1, 1, 2])
        let long = try pack([small, [UInt8](repeating: 2, count: 1024), small, small], copies: 2)
        #expect(long.map(\.count) == [1, 2, 1, 2])
        let many = try pack(Array(repeating: [UInt8](repeating: 3, count: 500), count: 3), copies: 2)
        #expect(many.map(\.count) == [1, 2, 2], "three of them do not fit into a packet")
    }

    @Test func noCopyOfATimeWithoutCopiesIsKept() throws {
        var repeater = PayloadRepeater()
        for (index, copies) in [2, 2, 0].enumerated() {
            _ = [1].withUnsafeBytes { repeater.pack($0, type: opus, position: Int64(index) * 960, copies: copies) }
        }
        #expect([1].withUnsafeBytes { repeater.pack($0, type: opus, position: 2880, copies: 2) } == nil)
    }
}
