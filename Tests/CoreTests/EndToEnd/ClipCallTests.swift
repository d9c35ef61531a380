import ControlProtocol
import Foundation
import Primitives
import TestSupport
import Testing

@testable import Devices

/// A clip with a sound, shown in a call.
@Suite struct ClipCallTests {
    private static let hzOfClip = 900.0

    @Test func itsSoundGoesWithItsPicturesAndTheMicrophone() throws {
        let pair = try TonePair()
        let folder = try TemporaryDirectory("hoot-clip")
        let frame = Data("FRAME\n".utf8) + Data(repeating: 128, count: 64 * 36 * 3 / 2)
        let clip = (0..<20).reduce(into: Data("YUV4MPEG2 W64 H36 F10:1\n".utf8)) { clip, _ in clip += frame }
        try clip.write(to: URL(filePath: folder.path + "/clip.y4m"))
        let tone = ToneMeter.tone(frequencyHz: Self.hzOfClip, amplitude: 0.25, seconds: 2)
        try SoundFile(.file(folder.path + "/clip.wav", .wav)).append(tone)
        try #require(pair.hearEachOther())
        #expect(try pair.a.program.run("show", "file", folder.path + "/clip.y4m").status == 0)
        let mark = "clip.y4m: 64x36@10, asked for 640x480@30, with sound"
        #expect(try pair.a.wait { $0.events.contains { $0.text.hasPrefix(mark) } })
        #expect(try pair.a.wait { $0.state.video.source?.description == "clip.y4m, with sound" })
        func hears(clip: Bool, voice: Bool) -> Bool {
            pair.earB.awaitTenth(within: .seconds(20)) { heard in
                (heard.amplitude(atHz: Self.hzOfClip) > 0.1) == clip
                    && (heard.amplitude(atHz: TonePair.hzOfA) > 0.1) == voice
            }
        }
        #expect(hears(clip: true, voice: true))
        let eye = try Eye(pair.b, at: pair.b.people[0].id, width: 320, height: 180)
        #expect(eye.next() != nil)
        #expect(
            try pair.b.wait { $0.people.first?.picture.map { [$0.width, $0.height] } == [64, 36] }, "nothing is cropped"
        )
        try pair.a.call("video.mute", ["on": .bool(true)])
        #expect(hears(clip: false, voice: true))
        try pair.a.call("video.mute", ["on": .bool(false)])
        #expect(hears(clip: true, voice: true))
        try pair.a.call("audio.mute", ["on": .bool(true)])
        #expect(pair.earB.fallsSilent())
        try pair.a.call("audio.mute", ["on": .bool(false)])
        #expect(hears(clip: true, voice: true))
        try pair.a.call("video.select", ["source": .string("pattern")])
        #expect(hears(clip: false, voice: true))
    }
}
