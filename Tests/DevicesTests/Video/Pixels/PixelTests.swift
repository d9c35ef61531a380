import Devices
import Foundation
import MediaEngine
import Primitives
import Testing

/// What becomes of pictures on their way: sizes, parts, layouts and colours.
@Suite struct PixelTests {
    private let small = VideoSize(width: 4, height: 2)

    @Test(arguments: [
        // (source, wanted, part taken, x, y, result)
        (VideoSize(width: 640, height: 480), VideoSize(width: 640, height: 480), [640, 480, 0, 0, 640, 480]),
        (VideoSize(width: 1280, height: 720), VideoSize(width: 640, height: 480), [960, 720, 160, 0, 640, 480]),
        (VideoSize(width: 640, height: 480), VideoSize(width: 640, height: 360), [640, 360, 0, 60, 640, 360]),
        (VideoSize(width: 480, height: 640), VideoSize(width: 640, height: 480), [480, 640, 0, 0, 480, 640]),
        (VideoSize(width: 160, height: 120), VideoSize(width: 640, height: 480), [160, 120, 0, 0, 160, 120]),
    ])
    func picturesAreCroppedToTheWantedProportions(source: VideoSize, wanted: VideoSize, expected: [Int]) {
        let fit = FrameFit(cropping: source, to: wanted)
        #expect([fit.part.width, fit.part.height, fit.x, fit.y, fit.size.width, fit.size.height] == expected)
    }

    @Test(arguments: [
        (VideoSize(width: 640, height: 312), VideoSize(width: 640, height: 480), VideoSize(width: 640, height: 312)),
        (VideoSize(width: 1280, height: 624), VideoSize(width: 640, height: 480), VideoSize(width: 640, height: 312)),
        (VideoSize(width: 400, height: 800), VideoSize(width: 640, height: 480), VideoSize(width: 320, height: 640)),
    ])
    func screensAreShownWhole(source: VideoSize, wanted: VideoSize, expected: VideoSize) {
        #expect(FrameFit(fitting: source, into: wanted).size == expected)
        #expect(FrameFit(fitting: source, into: wanted).part == source)
    }

    @Test func croppingTakesTheMiddle() {
        var frame = VideoFrame.black(VideoSize(width: 8, height: 4), time: .zero)
        for row in 0..<4 { for column in 2..<6 { frame.bytes[row * 8 + column] = 200 } }
        let fit = FrameFit(cropping: frame.size, to: VideoSize(width: 4, height: 4))
        let middle = frame.resampled(fit)
        #expect(middle.size == VideoSize(width: 4, height: 4))
        #expect(middle.bytes.prefix(16).allSatisfy { $0 == 200 })
    }

    @Test(arguments: [(235, 128, 128, [255, 255, 255]), (82, 90, 240, [255, 0, 0]), (41, 240, 110, [0, 0, 255])])
    func colorsBecomeRedGreenBlue(luma: Int, blue: Int, red: Int, expected: [Int]) {
        let bytes = [UInt8](repeating: UInt8(luma), count: 8) + [UInt8(blue), UInt8(blue), UInt8(red), UInt8(red)]
        let rgb = VideoFrame(size: small, bytes: bytes, time: .zero).rgb(small)
        #expect(rgb.count == 24)
        for (index, byte) in rgb.enumerated() { #expect(abs(Int(byte) - expected[index % 3]) <= 3) }
    }

    @Test func interleavedPixelsAreSorted() throws {
        let yuyv: [UInt8] = [1, 100, 2, 200, 3, 110, 4, 210, 5, 100, 6, 200, 7, 110, 8, 210]
        let frame = try #require(picture(.yuyv, yuyv))
        #expect(frame.bytes == [1, 2, 3, 4, 5, 6, 7, 8, 100, 110, 200, 210])
    }

    @Test func rowsMayBePadded() throws {
        let nv12: [UInt8] = [1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0, 100, 200, 110, 210]
        let frame = try #require(picture(.nv12, nv12, stride: 6))
        #expect(frame.bytes == [1, 2, 3, 4, 5, 6, 7, 8, 100, 110, 200, 210])
    }

    @Test func planesAreTakenAsTheyAre() throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 100, 110, 200, 210]
        #expect(try #require(picture(.i420, bytes)).bytes == bytes)
    }

    @Test(arguments: [PixelFormat.yuyv, .nv12, .i420])
    func tooFewBytesAreNoPicture(format: PixelFormat) {
        let whole = format == .yuyv ? 16 : 12
        #expect(picture(format, [UInt8](repeating: 0, count: whole)) != nil)
        for count in 0..<whole { #expect(picture(format, [UInt8](repeating: 0, count: count)) == nil) }
    }

    @Test func jpegPicturesAreDecodedInTheirOwnSize() throws {
        let frame = try #require(picture(.mjpeg, Self.jpeg))
        #expect(frame.size == VideoSize(width: 16, height: 16))
        for row in 0..<16 {
            #expect(frame.bytes[row * 16] > 220 && frame.bytes[row * 16 + 15] < 30)
        }
    }

    /// Cameras send damaged pictures, most of all while they are unplugged.
    @Test func damagedPicturesNeverHarm() {
        for count in 0..<Self.jpeg.count { _ = picture(.mjpeg, Array(Self.jpeg.prefix(count))) }
        var random = SplitMix64(seed: 9)
        for _ in 0..<5000 {
            var bytes = Self.jpeg
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let frame = picture(.mjpeg, bytes) else { continue }
            #expect(frame.bytes.count == VideoFrame.byteCount(of: frame.size))
        }
    }

    /// 16×16 pixels in 4:2:0: the left half white, the right half black.
    private static let jpeg = [UInt8](
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJ
                CQoKCgwMCwsODg4RERT/xAGiAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsBAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkK
                CxAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6
                Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJ
                ytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6EQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJ
                IzNS8BVictEKFiQ04SXxFxgZGiYnKCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SV
                lpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/wAARCAAQABADASIAAhEA
                AxEA/9oADAMBAAIRAxEAPwD3+vgCvv8Ar4AoA//Z
                """, options: .ignoreUnknownCharacters) ?? Data())

    private func picture(_ format: PixelFormat, _ bytes: [UInt8], stride: Int = 0) -> VideoFrame? {
        bytes.withUnsafeBytes { format.picture(in: $0, size: small, stride: stride, time: .zero) }
    }
}
