import Devices
import Foundation
import MediaEngine
import Primitives
import TestSupport
import Testing

/// Files of pictures: read, paced, refused in words, and never a fault.
@Suite struct Y4MTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/clip.y4m"
    }

    /// A file of 4×2 pixels whose pictures are all of one brightness.
    private func clip(_ lumas: [UInt8], header: String = "YUV4MPEG2 W4 H2 F30:1 Ip A1:1 C420jpeg") -> [UInt8] {
        lumas.reduce(Array("\(header)\n".utf8)) { bytes, luma in
            bytes + Array("FRAME\n".utf8) + [UInt8](repeating: luma, count: 8) + [128, 128, 128, 128]
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func picturesComeInOrderAndBeginAgain() throws {
        try write(clip([10, 20, 30]))
        var file = try Y4MFile(path)
        let size = file.header.size
        #expect(size == VideoSize(width: 4, height: 2))
        var lumas: [UInt8] = []
        for _ in 0..<7 { lumas.append(try file.next(at: .zero).bytes[0]) }
        #expect(lumas == [10, 20, 30, 10, 20, 30, 10])
    }

    @Test func picturesAreLeftOutWithoutBeingRead() throws {
        try write(clip([10, 20, 30, 40]))
        var file = try Y4MFile(path)
        let lumas = try [0, 1, 2].map { try file.next(at: .zero, skipping: $0).bytes[0] }
        #expect(lumas == [10, 30, 20])
    }

    @Test func aPictureThatWasCutOffIsLeftOut() throws {
        try write(clip([10, 20]).dropLast(3))
        var file = try Y4MFile(path)
        let lumas = try (0..<2).map { _ in try file.next(at: .zero).bytes[0] }
        #expect(lumas == [10, 10])
    }

    @Test(arguments: [
        ("RIFF", "it does not begin with a YUV4MPEG2 line"),
        ("YUV4MPEG2 W4 H2 F30:1 C444", "its layout is C444, and only 8-bit 4:2:0 is read"),
        ("YUV4MPEG2 W4 H2 F30:0", "its rate F30:0 is no fraction of two numbers"),
        ("YUV4MPEG2 W4 F30:1", "its pictures are 4x0; sides from 2 to 8192 are read"),
        ("YUV4MPEG2 W99999 H99999 F30:1", "its pictures are 99999x99999; sides from 2 to 8192 are read"),
        ("YUV4MPEG2 W640 H480 F30:1", "it holds no whole picture"),
    ])
    func whatIsWrongIsSaid(header: String, expected: String) throws {
        try write(clip([10], header: header))
        let error = #expect(throws: UserFacingError.self) {
            try Y4MSource(path: path).start(CollectingSink(), wanted: .standard)
        }
        #expect(error?.why == expected)
        #expect(error?.what == "cannot show \(path)")
    }

    @Test func whatIsNoFileIsRefused() throws {
        #expect(throws: UserFacingError.self) { _ = try Y4MFile("/dev/zero") }
        #expect(throws: UserFacingError.self) { _ = try Y4MFile(directory.path) }
        #expect(throws: UserFacingError.self) { _ = try Y4MFile(path) }
    }

    @Test(arguments: [
        ("F30:1", 30, 0, 30), ("F60:1", 30, 1, 30), ("F60000:1001", 30, 1, 30), ("F25:1", 30, 0, 25),
        ("F30:1", 15, 1, 15), ("F120:1", 30, 3, 30), ("F1:4", 30, 0, 1), ("F50:1", 30, 1, 25),
    ])
    func theRateIsTheFilesOwnOrAPartOfIt(rate: String, limit: Int, skipped: Int, given: Int) throws {
        let header = try Y4MHeader(Array("YUV4MPEG2 W4 H2 \(rate)\n".utf8))
        let pace = FilePace(header, limit: limit)
        #expect(pace.skipped == skipped && pace.frameRate == given)
    }

    @Test func theFileIsPlayedInItsOwnTime() throws {
        try write(clip([10, 20, 30]))
        let sink = CollectingSink()
        let source = Y4MSource(path: path)
        let format = try source.start(sink, wanted: .standard)
        #expect(format == CaptureFormat(size: VideoSize(width: 4, height: 2), frameRate: 30))
        #expect(sink.wait { $0.frames.count >= 7 })
        source.stop()
        let frames = sink.all.frames
        #expect(frames.prefix(4).map { $0.bytes[0] } == [10, 20, 30, 10])
        #expect(frames[6].time - frames[0].time >= .milliseconds(150))
    }

    @Test func aFileThatIsSpoiledMeanwhileEndsTheSource() throws {
        try write(clip([10, 20, 30]))
        let sink = CollectingSink()
        let source = Y4MSource(path: path)
        _ = try source.start(sink, wanted: .standard)
        defer { source.stop() }
        #expect(sink.wait { !$0.frames.isEmpty })
        try write(clip([]))
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.all.ends == ["cannot show \(path): it holds no whole picture; make it anew"])
    }

    @Test func mutatedFilesAreReadOrRefused() throws {
        let whole = clip([10, 20, 30])
        var random = SplitMix64(seed: 11)
        var readCount = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(ascii: " "), at: place)
                default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            if let header = try? Y4MHeader(bytes) {
                readCount += 1
                #expect((2...8192).contains(header.size.width) && header.length <= bytes.count)
                #expect(FilePace(header, limit: 30).frameRate <= 30)
            }
        }
        #expect(readCount > 1000)
        for count in 0..<whole.count {
            try write(Array(whole.prefix(count)))
            guard var file = try? Y4MFile(path) else { continue }
            for _ in 0..<4 { _ = try? file.next(at: .zero) }
        }
    }
}
