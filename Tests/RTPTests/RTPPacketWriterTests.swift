import Primitives
import RTP
import Testing

@Suite struct RTPPacketWriterTests {
    private let header = RTPHeader(
        marker: true, payloadType: PayloadType(111), sequenceNumber: SequenceNumber(7), timestamp: 960, ssrc: SSRC(5))

    /// What a writer over a buffer of `capacity` bytes leaves in it; `nil` when it fails.
    private func written(capacity: Int, _ body: (inout RTPPacketWriter) -> Int?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0xEE, count: capacity)
        let length = bytes.withUnsafeMutableBytes { buffer in
            var writer = RTPPacketWriter(into: buffer, header: header)
            return body(&writer)
        }
        return length.map { Array(bytes[..<$0]) }
    }

    @Test func levelAndPayloadAreWrittenInPlace() {
        let packet = written(capacity: 64) { writer in
            writer.append(extension: 1, 0x92)
            #expect(writer.endHeader() == 20)
            [UInt8]([0x78, 0xAA]).withUnsafeBytes { writer.append(payload: $0) }
            return writer.finish()
        }
        #expect(
            packet == [
                0x90, 0xEF, 0, 7, 0, 0, 3, 0xC0, 0, 0, 0, 5, 0xBE, 0xDE, 0, 1, 0x10, 0x92, 0, 0, 0x78, 0xAA,
            ])
    }

    @Test func headerWithoutElementsHasNoExtension() {
        #expect(written(capacity: 12) { $0.finish() }?.first == 0x80)
    }

    @Test(arguments: 0..<26) func whatDoesNotFitIsRefusedAndNeverWrittenPastTheEnd(capacity: Int) {
        let packet = written(capacity: capacity) { writer in
            writer.append(extension: 1, 0x92)
            [UInt8]([0x78, 0xAA]).withUnsafeBytes { writer.append(payload: $0) }
            return writer.finish(padding: 4)
        }
        #expect(packet == nil)
    }

    @Test(arguments: [(UInt8(0), 1), (15, 1), (1, 0), (1, 17)])
    func elementsThatTheOneByteFormCannotCarryAreRefused(id: UInt8, count: Int) {
        let element = HeaderExtensionElement(id: id, value: [UInt8](repeating: 1, count: count))
        #expect(RTPPacket.bytes(header, extensions: [element], payload: []) == nil)
    }

    @Test func elementsAfterTheHeaderAreRefused() {
        let packet = written(capacity: 64) { writer in
            _ = writer.endHeader()
            writer.append(extension: 1, 0x92)
            return writer.finish()
        }
        #expect(packet == nil)
    }

    @Test func sixteenContributorsAreRefused() {
        let sources = (0..<16).map { SSRC($0) }
        #expect(RTPPacket.bytes(header, contributors: sources, payload: []) == nil)
        #expect(RTPPacket.bytes(header, contributors: Array(sources.dropLast()), payload: []) != nil)
    }

    @Test func randomPacketsSurviveTheRoundTrip() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<500 {
            let form: HeaderExtensionForm = Bool.random(using: &random) ? .oneByte : .twoByte
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                HeaderExtensionElement(
                    id: .random(in: 1...14, using: &random),
                    value: (0..<Int.random(in: 1...16, using: &random)).map { _ in .random(in: 0...255, using: &random)
                    })
            }
            let payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let padding = UInt8.random(in: 0...9, using: &random)
            let bytes = try #require(
                RTPPacket.bytes(header, form: form, extensions: elements, payload: payload, padding: padding))
            let packet = try RTPPacket(parsing: bytes.span.bytes)
            #expect(packet.extensions?.elements(in: bytes.span.bytes) ?? [] == elements)
            #expect(bytes.span.bytes.extracting(packet.payloadRange).bytes == payload)
            #expect(packet.paddingByteCount == Int(padding))
        }
    }
}
