import Foundation
import Primitives
import TestSupport
import Testing

@testable import Devices
@testable import MediaEngine

/// A clip's pictures and its sound: side by side, from the start again together, refused in words.
@Suite struct ClipTests {
    private let directory: TemporaryDirectory
    private let clip: String

    init() throws {
        directory = try TemporaryDirectory("hoot-clip")
        clip = directory.path + "/clip.y4m"
    }

    /// Pictures of 4×2 pixels at ten a second, and a sound of `seconds` that rises from 0 to 1 in a second.
    private func write(pictures lumas: [UInt8], seconds: Double?, ending: String = "wav") throws {
        let header = Array("YUV4MPEG2 W4 H2 F10:1\n".utf8)
        let bytes = lumas.reduce(header) { bytes, luma in
            bytes + Array("FRAME\n".utf8) + [UInt8](repeating: luma, count: 8) + [128, 128, 128, 128]
        }
        try Data(bytes).write(to: URL(filePath: clip))
        guard let seconds else { return }
        let path = directory.path + "/clip." + ending
        let file = try SoundFile(.file(path, try #require(SoundFileFormat(path: path))))
        try file.append((0..<Int(seconds * 48_000)).map { Float($0 % 48_000) / 48_000 })
    }

    /// The first sample of what is due at `time`; `nil`: there is nothing.
    private func sample(of feed: SoundFeed, at time: MonoTime) -> Float? {
        var frame = [Float](repeating: 0, count: 480)
        return frame.withUnsafeMutableBufferPointer { feed.addNext(to: $0, at: time) } ? frame[0] : nil
    }

    /// Every 10 ms of the time that `play` is given: what of the sound was heard and what was seen, as places in the clip.
    private func watch(_ times: [Int]) throws -> [(heard: Double?, seen: Double?)] {
        let pictures = try Y4MFile(clip)
        let (sink, feed, pace) = (CollectingSink(), SoundFeed(), FilePace(pictures.header, limit: 30))
        let path = try #require(ClipSound.path(beside: clip))
        var playback = ClipPlayback(pictures, pace, sound: try ClipSound(path), feed: feed, start: .zero)
        return try times.map { milliseconds in
            let now = MonoTime.zero + .milliseconds(milliseconds)
            if playback.deadline.map({ $0 <= now }) == true { try playback.play(to: sink, at: now) }
            let seen = sink.all.frames.last.map { Double($0.bytes[0] / 10 - 1) / 10 + (now - $0.time).seconds }
            return (sample(of: feed, at: now).map(Double.init), seen)
        }
    }

    @Test(arguments: ["wav", "flac"]) func soundBelongsToThePictures(ending: String) throws {
        try write(pictures: [10, 20, 30, 40, 50], seconds: 2, ending: ending)
        let watched = try watch((0..<300).map { $0 * 10 })
        #expect(watched[..<10].allSatisfy { $0.heard == nil && $0.seen == nil })
        for (index, (heard, seen)) in watched.enumerated().dropFirst(10) {
            let (heard, seen) = (try #require(heard), try #require(seen))
            #expect(abs(heard - seen) < 0.001, "\(heard) at \(seen), \(index * 10) ms")
        }
    }

    @Test func theSoundEndsBeforeThePicturesAndBeginsWithThem() throws {
        try write(pictures: [10, 20, 30, 40, 50], seconds: 0.2)
        let watched = try watch((10..<110).map { $0 * 10 })
        for (index, (heard, _)) in watched.enumerated() { #expect((heard != nil) == (index % 50 < 20), "\(index)") }
    }

    /// Not looked after for 0.3 s, across its end.
    @Test func aStallCostsPicturesAndSoundTheSame() throws {
        try write(pictures: [10, 20, 30, 40, 50], seconds: 2)
        let watched = try watch((0..<50).map { $0 * 10 } + (80..<200).map { $0 * 10 })
        for (index, (heard, seen)) in watched.enumerated().dropFirst(70) {
            let (heard, seen) = (try #require(heard), try #require(seen))
            #expect(abs(heard - seen) < 0.011, "\(heard) at \(seen), \(index)")
        }
    }

    @Test func aClipWithoutASoundIsSilent() throws {
        try write(pictures: [10], seconds: nil)
        let source = Y4MSource(path: clip)
        _ = try source.start(CollectingSink(), wanted: .standard)
        #expect(source.sound == nil)
        source.stop()
    }

    @Test func channelsAreMixedAndTheEndIsSilent() throws {
        let path = directory.path + "/stereo.wav"
        let frames = (0..<700).flatMap { _ in [Int16(16_384), Int16(0)] }
        try wave(frames, channels: 2, rate: 48_000).write(to: URL(filePath: path))
        var sound = try ClipSound(path)
        var frame = [Float](repeating: 1, count: 480)
        for _ in 0..<2 {
            #expect(sound.read(into: &frame) && frame.allSatisfy { abs($0 - 0.25) < 0.001 })
            #expect(sound.read(into: &frame) && abs(frame[219] - 0.25) < 0.001 && frame[220...].allSatisfy { $0 == 0 })
            let isMore = sound.read(into: &frame)
            #expect(!isMore)
            sound.rewind()
        }
    }

    @Test func whatCannotBePlayedIsSaid() throws {
        try write(pictures: [10], seconds: nil)
        let path = directory.path + "/clip.wav"
        for (bytes, words) in [
            (
                wave([0, 0], channels: 1, rate: 44_100),
                "it has 44100 samples a second, and 48000 are played; convert it:"
            ),
            (Data("no sound".utf8), "move it away: then the clip is silent"),
        ] {
            try bytes.write(to: URL(filePath: path))
            let error = #expect(throws: UserFacingError.self) {
                _ = try Y4MSource(path: clip).start(CollectingSink(), wanted: .standard)
            }
            let said = error?.description ?? ""
            #expect(said.hasPrefix("cannot play \(path)") && said.contains(words), "\(said)")
        }
        #expect(throws: UserFacingError.self) { _ = try ClipSound("/dev/zero") }
    }

    /// A file of floats may hold whatever a float does; no louder than loud goes on, not even to a codec of whole numbers.
    @Test func floatsAreKeptWithinReason() throws {
        let values: [Float] = [3e38, -.infinity, .nan, 1e30, 0.5]
        let data = values.flatMap { bytes(Int($0.bitPattern), 4) }
        let path = directory.path + "/float.wav"
        try wave(data, 1, 48_000, format: 3, bits: 32).write(to: URL(filePath: path))
        var sound = try ClipSound(path)
        var frame = [Float](repeating: 1, count: 480)
        let isRead = sound.read(into: &frame)
        #expect(isRead)
        #expect(Array(frame.prefix(6)) == [1, 0, 0, 1, 0.5, 0])
    }

    @Test func mutatedSoundsNeverHarm() throws {
        let whole = wave((0..<400).map { Int16($0) }, channels: 2, rate: 48_000)
        var random = SplitMix64(seed: 12)
        let path = directory.path + "/mutated.wav"
        var readCount = 0
        for _ in 0..<500 {
            var bytes = [UInt8](whole)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<60, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(filePath: path))
            guard var sound = try? ClipSound(path) else { continue }
            var frame = [Float](repeating: 0, count: 480)
            for _ in 0..<3 where sound.read(into: &frame) { readCount += 1 }
            #expect(frame.allSatisfy { $0.isFinite })
        }
        #expect(readCount > 20)
    }

    /// A file of 16 bits.
    private func wave(_ samples: [Int16], channels: Int, rate: Int) -> Data {
        wave(samples.flatMap { bytes(Int(UInt16(bitPattern: $0)), 2) }, channels, rate, format: 1, bits: 16)
    }

    private func wave(_ data: [UInt8], _ channels: Int, _ rate: Int, format: Int, bits: Int) -> Data {
        let frame = channels * bits / 8
        let header = bytes(format, 2) + bytes(channels, 2) + bytes(rate, 4) + bytes(rate * frame, 4) + bytes(frame, 2)
        let body = Array("WAVEfmt ".utf8) + bytes(16, 4) + header + bytes(bits, 2) + Array("data".utf8)
        return Data(Array("RIFF".utf8) + bytes(body.count + 4 + data.count, 4) + body + bytes(data.count, 4) + data)
    }

    private func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 255) } }
}
