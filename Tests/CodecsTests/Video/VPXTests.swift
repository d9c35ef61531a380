import MediaEngine
import Primitives
import Testing

@testable import Codecs

/// libvpx's encoders and decoders on moving pictures.
@Suite struct VPXTests {
    private static let size = VideoSize(width: 320, height: 180)

    private func settings(_ size: VideoSize = size, bitrate: Int = 300_000) -> VideoEncoderSettings {
        VideoEncoderSettings(size: size, frameRate: 30, bitrate: bitrate)
    }

    private func decode(_ frame: EncodedVideoFrame, with decoder: VPXDecoder) throws -> DecodedPicture? {
        try frame.bytes.withUnsafeBytes { try decoder.decode($0) }
    }

    @Test(arguments: VideoCodec.allCases) func movingPicturesComeBackAsTheyWere(codec: VideoCodec) throws {
        let picture = MovingPicture(Self.size)
        let encoder = try VPXEncoder(codec, settings: settings())
        let decoder = try VPXDecoder(codec)
        var quality: [Double] = []
        for index in 0..<60 {
            let frame = picture.frame(index)
            guard let encoded = try encoder.encode(frame, asKeyFrame: false) else { continue }
            #expect(encoded.isKeyFrame == (index == 0), "a key frame that nobody asked for")
            #expect(encoded.temporalLayer == index % 2 && encoded.isLayerSync == (index % 2 == 1))
            #expect((2...(codec == .vp8 ? 127 : 255)).contains(encoded.qp) && encoded.size == Self.size)
            let decoded = try #require(try decode(encoded, with: decoder))
            #expect(decoded.size == Self.size && decoded.bytes.count == frame.bytes.count)
            #expect(decoded.qp == encoded.qp)
            quality.append(lumaPSNR(frame.bytes, decoded.bytes, size: Self.size))
        }
        #expect(quality.count > 50)
        let mean = quality.reduce(0, +) / Double(quality.count)
        print("\(codec) 320×180 at 300 kb/s: mean PSNR \(mean) dB, least \(quality.min() ?? 0) dB")
        #expect(mean > 30 && quality.allSatisfy { $0 > 24 })
    }

    @Test(arguments: VideoCodec.allCases) func theRateIsKeptAndFollowsWhatIsAsked(codec: VideoCodec) throws {
        let picture = MovingPicture(Self.size)
        let encoder = try VPXEncoder(codec, settings: settings(bitrate: 400_000))
        var (rates, baseShares): ([Double], [Double]) = ([], [])
        var index = 0
        for bitrate in [400_000, 200_000, 500_000] {
            try encoder.apply(settings(bitrate: bitrate))
            var (bytes, baseBytes) = (0, 0)
            for second in 0..<5 {
                for _ in 0..<30 {
                    let encoded = try encoder.encode(picture.frame(index), asKeyFrame: false)
                    // The first second of each rate is the time to get there.
                    let count = second == 0 ? 0 : encoded?.bytes.count ?? 0
                    bytes += count
                    if encoded?.temporalLayer == 0 { baseBytes += count }
                    #expect(encoded?.isKeyFrame != true || index == 0)
                    index += 1
                }
            }
            rates.append(Double(bytes * 8) / 4 / Double(bitrate))
            baseShares.append(Double(baseBytes) / Double(bytes))
        }
        print("\(codec): share of the rate asked for \(rates), of the base layer in it \(baseShares)")
        #expect(rates.allSatisfy { (0.75...1.15).contains($0) })
        #expect(baseShares.allSatisfy { abs($0 - VideoEncoderSettings.baseShare) < 0.1 })
    }

    @Test(arguments: VideoCodec.allCases) func theUpperLayerMayBeLeftOut(codec: VideoCodec) throws {
        let picture = MovingPicture(Self.size)
        let encoder = try VPXEncoder(codec, settings: settings())
        let all = try VPXDecoder(codec)
        let base = try VPXDecoder(codec)
        var random = SplitMix64(seed: 5)
        var baseCount = 0
        for index in 0..<60 {
            guard let encoded = try encoder.encode(picture.frame(index), asKeyFrame: index == 31) else { continue }
            let whole = try #require(try decode(encoded, with: all))
            if encoded.temporalLayer == 0 || random.unit() < 0.3 {
                baseCount += 1
                #expect(try decode(encoded, with: base)?.bytes == whole.bytes, "picture \(index)")
            }
        }
        #expect(baseCount > 25)
    }

    @Test(arguments: VideoCodec.allCases) func keyFramesComeWhenAskedFor(codec: VideoCodec) throws {
        let picture = MovingPicture(Self.size)
        let encoder = try VPXEncoder(codec, settings: settings())
        let late = try VPXDecoder(codec)
        var keys: [Int] = []
        for index in 0..<30 {
            let encoded = try #require(try encoder.encode(picture.frame(index), asKeyFrame: index == 11))
            if encoded.isKeyFrame { keys.append(index) }
            if index == 5 { #expect(throws: CodecError.self) { try decode(encoded, with: late) } }
            guard index >= 11 else { continue }
            let decoded = try #require(try decode(encoded, with: late))
            #expect(lumaPSNR(picture.frame(index).bytes, decoded.bytes, size: Self.size) > 22)
        }
        #expect(keys == [0, 11])
    }

    @Test(arguments: VideoCodec.allCases) func theSizeMayChangeWhileItRuns(codec: VideoCodec) throws {
        let sizes = [Self.size, VideoSize(width: 161, height: 91), VideoSize(width: 480, height: 270)]
        let encoder = try VPXEncoder(codec, settings: settings(sizes[0]))
        let decoder = try VPXDecoder(codec)
        for size in sizes {
            try encoder.apply(settings(size))
            let picture = MovingPicture(size)
            for index in 0..<6 {
                let encoded = try #require(try encoder.encode(picture.frame(index), asKeyFrame: false))
                #expect(encoded.isKeyFrame == (index == 0) && encoded.size == size)
                let decoded = try #require(try decode(encoded, with: decoder))
                #expect(decoded.size == size)
                #expect(lumaPSNR(picture.frame(index).bytes, decoded.bytes, size: size) > 22)
            }
        }
        #expect(throws: CodecError.self) { try encoder.encode(.black(sizes[0], time: .zero), asKeyFrame: false) }
        #expect(throws: CodecError.self) { try encoder.apply(settings(VideoSize(width: 8, height: 8))) }
        #expect(throws: CodecError.self) { try encoder.apply(settings(VideoSize(width: 320, height: 5000))) }
    }

    @Test(arguments: VideoCodec.allCases) func screensAreSharpAndCostNothingWhileTheyStandStill(codec: VideoCodec)
        throws
    {
        var text = settings(bitrate: 500_000)
        text.content = .text
        let encoder = try VPXEncoder(codec, settings: text)
        let decoder = try VPXDecoder(codec)
        let still = MovingPicture(Self.size).frame(7)
        var last: DecodedPicture?
        var late = 0
        for index in 0..<120 {
            var frame = still
            frame.time = .zero + .milliseconds(index * 33)
            guard let encoded = try encoder.encode(frame, asKeyFrame: false) else { continue }
            last = try decode(encoded, with: decoder) ?? last
            late += index >= 60 ? encoded.bytes.count : 0
        }
        let quality = lumaPSNR(still.bytes, try #require(last).bytes, size: Self.size)
        print("\(codec) screen: \(quality) dB, \(Double(late * 8) / 2000) kb/s while it stands still")
        #expect(quality > 34 && late < 25_000)
    }

    @Test func aPauseIsNotPaidBack() throws {
        let picture = MovingPicture(Self.size)
        let encoder = try VPXEncoder(.vp8, settings: settings(bitrate: 200_000))
        for index in 0..<60 { _ = try encoder.encode(picture.frame(index), asKeyFrame: false) }
        let after = try (60..<90).map { index in
            var frame = picture.frame(index)
            frame.time += .seconds(60)
            return try encoder.encode(frame, asKeyFrame: false)?.bytes.count ?? 0
        }
        #expect(after.reduce(0, +) * 8 < 300_000)
    }

    @Test(arguments: VideoCodec.allCases) func damagedFramesAreRefusedOrDecoded(codec: VideoCodec) throws {
        let size = VideoSize(width: 96, height: 64)
        let picture = MovingPicture(size)
        let encoder = try VPXEncoder(codec, settings: settings(size, bitrate: 100_000))
        let frames = try (0..<20).compactMap { try encoder.encode(picture.frame($0), asKeyFrame: $0 % 10 == 0)?.bytes }
        var random = SplitMix64(seed: 9)
        let decoder = try VPXDecoder(codec)
        var refused = 0
        for round in 0..<4000 {
            var bytes = frames[round % frames.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1 where place > 0: bytes.removeSubrange(place...)
                default: bytes[place] = .random(in: 0...255, using: &random)
                }
            }
            let shown = try? bytes.withUnsafeBytes { try decoder.decode($0) }
            if shown == nil { refused += 1 }
        }
        #expect(refused > 100)
        for count in 0..<min(64, frames[0].count) {
            _ = try? frames[0][..<count].withUnsafeBytes { try decoder.decode($0) }
        }
        #expect(throws: CodecError.self) { try decoder.decode(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let again = try frames[0].withUnsafeBytes { try decoder.decode($0) }
        #expect(again?.size == size, "a key frame makes all good again")
    }

    @Test func aPictureLargerThanAllowedIsRefused() throws {
        var key: [UInt8] = [0x10, 0x02, 0x00, 0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F]
        key += [UInt8](repeating: 0, count: 100)
        let decoder = try VPXDecoder(.vp8)
        #expect(throws: CodecError.self) { try key.withUnsafeBytes { try decoder.decode($0) } }
    }
}
