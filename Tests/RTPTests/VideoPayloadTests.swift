import Primitives
import RTP
import Testing

/// Payload descriptors of VP8 and VP9.
@Suite struct VideoPayloadTests {
    private func vp8(_ descriptor: VP8Descriptor) -> [UInt8] {
        var writer = ByteWriter()
        descriptor.write(into: &writer)
        return writer.bytes
    }

    private func vp9(_ descriptor: VP9Descriptor) -> [UInt8] {
        var writer = ByteWriter()
        descriptor.write(into: &writer)
        return writer.bytes
    }

    private func vp8(named name: String) -> VideoPayload? {
        VideoPayload(vp8: Fixture.bytes(name, in: VideoFixtures.vp8).span.bytes)
    }

    private func vp9(named name: String) -> VideoPayload? {
        VideoPayload(vp9: Fixture.bytes(name, in: VideoFixtures.vp9).span.bytes)
    }

    private func redundant(_ bytes: [UInt8]) -> RedundantPayload? {
        RedundantPayload(parsing: bytes.span.bytes)
    }

    @Test func theDescriptorsOfTheFixturesAreRead() throws {
        let key = Fixture.bytes("vp8-key-frame-long-id", in: VideoFixtures.vp8)
        var offset = 0
        let read = VP8Descriptor(key.span.bytes, at: &offset)
        let descriptor = try #require(read)
        #expect(descriptor.pictureID == PictureID(0x1234) && descriptor.baseIndex == 0x56)
        #expect(descriptor.temporalLayer == 1 && descriptor.isLayerSync && descriptor.keyIndex == 3)
        #expect(descriptor.startsPartition && descriptor.isNonReference && offset == 6)
        let payload = try #require(vp8(named: "vp8-key-frame-long-id"))
        #expect(payload.isKeyFrame && payload.beginsFrame && payload.headerByteCount == 6 && payload.isDiscardable)
        let inter = try #require(vp8(named: "vp8-plain"))
        #expect(!inter.isKeyFrame && inter.beginsFrame && inter.pictureID == nil && inter.headerByteCount == 1)
        let later = try #require(vp8(named: "vp8-second-partition-short-id"))
        #expect(!later.beginsFrame && !later.isKeyFrame && later.pictureID == PictureID(short: 0x11))
    }

    @Test func structuresAndReferencesOfVP9AreRead() throws {
        let bytes = Fixture.bytes("vp9-key-with-structure", in: VideoFixtures.vp9)
        var offset = 0
        let read = VP9Descriptor(bytes.span.bytes, at: &offset)
        let descriptor = try #require(read)
        let structure = try #require(descriptor.structure)
        #expect(structure.sizes == [.init(width: 640, height: 360)] && structure.spatialLayerCount == 1)
        #expect(structure.group?.count == 2 && structure.group?[1].references == [1])
        #expect(descriptor.layer?.baseIndex == 7 && offset == bytes.count - 2)
        let payload = try #require(vp9(named: "vp9-key-with-structure"))
        #expect(payload.isKeyFrame && payload.references == nil)
        let flexible = try #require(vp9(named: "vp9-flexible-two-references"))
        #expect(flexible.references == [1, 4] && !flexible.isKeyFrame && flexible.temporalLayer == 2)
    }

    @Test func whatIsWrittenIsReadAgain() {
        for bits in 0..<64 {
            var descriptor = VP8Descriptor()
            descriptor.isNonReference = bits & 1 != 0
            descriptor.startsPartition = bits & 2 != 0
            descriptor.pictureID = bits & 4 != 0 ? (bits & 1 != 0 ? PictureID(0x7FFF) : PictureID(short: 0x7F)) : nil
            descriptor.temporalLayer = bits & 8 != 0 ? 2 : nil
            descriptor.baseIndex = bits & 16 != 0 ? 255 : nil
            descriptor.isLayerSync = bits & 8 != 0
            descriptor.keyIndex = bits & 32 != 0 ? 31 : nil
            var offset = 0
            #expect(VP8Descriptor(vp8(descriptor).span.bytes, at: &offset) == descriptor)
            #expect(offset == vp8(descriptor).count)
        }
        for bits in 0..<64 {
            var descriptor = VP9Descriptor()
            descriptor.isFlexible = bits & 1 != 0
            descriptor.isInterPredicted = bits & 2 != 0
            descriptor.beginsFrame = bits & 4 != 0
            descriptor.endsFrame = bits & 8 != 0
            if bits & 16 != 0 {
                var layer = VP9Descriptor.Layer()
                layer.temporal = 1
                layer.isSwitchingPoint = true
                layer.baseIndex = descriptor.isFlexible ? nil : 9
                descriptor.layer = layer
            }
            descriptor.pictureID = bits & 32 != 0 ? PictureID(0x4321) : nil
            descriptor.references = bits & 3 == 3 ? [1, 2, 127] : []
            descriptor.structure = bits & 4 != 0 ? VP9ScalabilityStructure(width: 320, height: 180) : nil
            var offset = 0
            #expect(VP9Descriptor(vp9(descriptor).span.bytes, at: &offset) == descriptor)
            #expect(offset == vp9(descriptor).count)
        }
    }

    @Test(arguments: VideoFixtures.vp8Bad) func brokenVP8IsNone(_ fixture: Fixture) {
        #expect(VideoPayload(vp8: fixture.bytes.span.bytes) == nil)
    }

    @Test(arguments: VideoFixtures.vp9Bad) func brokenVP9IsNone(_ fixture: Fixture) {
        #expect(VideoPayload(vp9: fixture.bytes.span.bytes) == nil)
    }

    @Test func pictureNumbersWrap() {
        #expect(PictureID(1).distance(from: PictureID(0x7FFF)) == 2)
        #expect(PictureID(0x7FFF).distance(from: PictureID(1)) == -2)
        #expect(PictureID(short: 1).distance(from: PictureID(short: 0x7E)) == 3)
        #expect(PictureID(0x7FFF) + 1 == PictureID(0) && PictureID(short: 0x7F) + 2 == PictureID(short: 1))
    }

    @Test(arguments: [(1, 1200), (1200, 1200), (1201, 1200), (5000, 1200), (3, 1), (0, 10)])
    func partsAreFewAndEven(count: Int, limit: Int) {
        let parts = VideoPayload.parts(of: count, limit: limit)
        #expect(parts.count == (count + limit - 1) / limit)
        #expect(parts.reduce(0) { $0 + $1.count } == count && parts.allSatisfy { $0.count <= limit })
        let lengths = parts.map(\.count)
        #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }

    @Test func aRetransmissionHasTheNumberOfItsOriginal() throws {
        let bytes = RetransmissionPayload.bytes(SequenceNumber(0xFFFE), original: [1, 2, 3])
        #expect(bytes == [0xFF, 0xFE, 1, 2, 3])
        let read = RetransmissionPayload.original(in: bytes.span.bytes)
        let original = try #require(read)
        #expect(original.number == SequenceNumber(0xFFFE) && original.payload == 2..<5)
        #expect(RetransmissionPayload.original(in: [UInt8(1), 2].span.bytes) == nil, "padding")
        #expect(RetransmissionPayload.original(in: [UInt8(1)].span.bytes) == nil)
    }

    @Test func redundantPayloadsAreTakenApart() throws {
        let opus = PayloadType(111)
        let bytes = RedundantPayload.bytes(
            redundant: [
                (opus, 16_384, [9]), (opus, 1920, [1, 2]), (opus, 960, [UInt8](repeating: 7, count: 1024)),
                (opus, 960, [3]),
            ],
            primaryType: opus, primary: [4, 5, 6])
        let parsed = try #require(redundant(bytes))
        #expect(parsed.redundant.map(\.timestampOffset) == [1920, 960], "what the format cannot carry is left out")
        #expect(parsed.redundant.map { Array(bytes[$0.range]) } == [[1, 2], [3]])
        #expect(Array(bytes[parsed.primary]) == [4, 5, 6] && parsed.primaryType == opus)
        let chromium = Fixture.bytes("red-one-block", in: VideoFixtures.red)
        let one = try #require(redundant(chromium))
        #expect(one.redundant.count == 1 && one.redundant[0].timestampOffset == 960 && one.primary.count == 2)
        #expect(redundant(Fixture.bytes("red-block-too-long", in: VideoFixtures.red)) == nil)
    }
}
