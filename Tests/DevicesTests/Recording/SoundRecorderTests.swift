import Foundation
import Glibc
import MediaEngine
import Primitives
import TestSupport
import Testing

@testable import Devices

/// What is written, and what is refused.
struct SoundRecorderTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory("hoot-recorder")
    }

    @Test(arguments: SoundFileFormat.allCases) func eachFormatHoldsTheTone(format: SoundFileFormat) throws {
        let path = folder.path + "/tone." + format.rawValue
        let writer = try writer(path)
        let tone = ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 3)
        for index in 0..<300 { push(tone[index * 480..<index * 480 + 480], at: index) }
        try writer.drain()
        #expect(writer.duration == .seconds(3))
        writer.close()
        let samples = try SoundFileReader.samples(of: path)
        #expect(abs(samples.count - 144_000) < 4800)
        let heard = ToneMeter(samples)
        #expect(abs(heard.medianAmplitude(atHz: 440) - 0.25) < 0.03)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    /// Nothing of it was closed: as a crash leaves it.
    @Test(arguments: SoundFileFormat.allCases) func whatIsBeingWrittenCanBeRead(format: SoundFileFormat) throws {
        let path = folder.path + "/open." + format.rawValue
        let writer = try writer(path)
        let tone = ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 5)
        for index in 0..<500 { push(tone[index * 480..<index * 480 + 480], at: index) }
        try writer.drain()
        let copy = folder.path + "/copy." + format.rawValue
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        writer.close()
        #expect(try SoundFileReader.samples(of: copy).count > 3 * 48_000)
    }

    @Test func whatIsMissingIsSilence() throws {
        let path = folder.path + "/gap.wav"
        let writer = try writer(path)
        let tone = ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 1)[...]
        for index in [0, 1, 300, 301] { push(tone.prefix(480), at: index) }
        try writer.drain()
        writer.close()
        let samples = try SoundFileReader.samples(of: path)
        #expect(samples.count == 302 * 480)
        #expect(samples[960..<300 * 480].allSatisfy { $0 == 0 } && samples[300 * 480 + 40] != 0)
    }

    @Test func ofALongPauseAMinuteIsKept() throws {
        let path = folder.path + "/pause.wav"
        let writer = try writer(path)
        let tone = ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 1)[...]
        for index in [0, 360_000, 360_001] { push(tone.prefix(480), at: index) }
        try writer.drain()
        writer.close()
        #expect(writer.duration == .seconds(60) + .milliseconds(30))
        #expect(try SoundFileReader.samples(of: path).count == 6003 * 480)
    }

    @Test func nothingIsOverwrittenAndEachRefusalSaysWhatToDo() throws {
        let (file, link) = (folder.path + "/there.wav", folder.path + "/link.wav")
        try Data("precious".utf8).write(to: URL(filePath: file))
        symlink(folder.path + "/elsewhere.wav", link)
        for (path, words) in [
            file: "nothing is overwritten: choose another name", link: "choose another name",
            folder.path + "/none/a.wav": "make its folder first", "/proc/a.wav": "cannot record in /proc/a.wav",
        ] {
            let error = #expect(throws: UserFacingError.self) { _ = try SoundFile(.file(path, .wav)) }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
        #expect(access(folder.path + "/elsewhere.wav", F_OK) != 0)
        for (path, format) in ["/a.OPUS": SoundFileFormat.opus, "/a.b.wav": .wav, "/a.mp3": nil, "/wav": nil] {
            #expect(SoundFileFormat(path: path) == format, "\(path)")
        }
    }

    @Test func inAFolderTheNextFreeNameIsTaken() throws {
        let (elsewhere, recordings) = (folder.path + "/elsewhere", folder.path + "/recordings")
        mkdir(elsewhere, 0o700)
        symlink(elsewhere, recordings)
        symlink(folder.path + "/nowhere", elsewhere + "/talk.opus")
        try Data("precious".utf8).write(to: URL(filePath: elsewhere + "/talk 2.opus"))
        let place = RecordingPlace.folder(recordings, name: "talk")
        #expect(try SoundFile(place).path == recordings + "/talk 3.opus")
        #expect(try SoundFile(.folder(folder.path + "/new", name: "talk")).path == folder.path + "/new/talk.opus")
        #expect(access(folder.path + "/nowhere", F_OK) != 0)
        #expect(try String(contentsOfFile: elsewhere + "/talk 2.opus", encoding: .utf8) == "precious")
        let refused = #expect(throws: UserFacingError.self) {
            _ = try SoundFile(.folder(elsewhere + "/talk 2.opus", name: "talk"))
        }
        #expect(refused?.description.contains("Not a directory") == true, "\(refused?.description ?? "")")
    }

    @Test func whatEndsBeforeItBeganLeavesNothingOrAWholeFile() throws {
        for index in 0..<20 {
            let path = folder.path + "/\(index).wav"
            let recorder = try SoundRecorder(.file(path, .wav)) {}
            recorder.finish()
            recorder.finishNow()
            #expect(recorder.outcome?.error == nil)
            #expect((access(path, F_OK) == 0) == (recorder.path != nil))
        }
    }

    private let frames = SPSCRing<RecordedFrame>(capacity: 512, payloadCapacity: 1920)

    private func writer(_ path: String) throws -> RecordingWriter {
        let format = try #require(SoundFileFormat(path: path))
        return RecordingWriter(file: try SoundFile(.file(path, format)), frames: frames)
    }

    private func push(_ samples: ArraySlice<Float>, at index: Int) {
        samples.withUnsafeBytes { _ = frames.push(RecordedFrame(index: Int64(index)), $0) }
    }
}
