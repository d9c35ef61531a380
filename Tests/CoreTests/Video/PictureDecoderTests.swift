import Codecs
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import Core
@testable import MediaEngine

/// When decoded pictures are shown.
@Suite struct PictureDecoderTests {
    private let store = PictureStore()
    private let bell = Bell()

    private final class Bell: Sendable {
        let events = Mutex<[MonoTime]>([])
    }

    private func frames(_ count: Int) throws -> [EncodedVideoFrame] {
        let size = VideoSize(width: 64, height: 48)
        let encoder = try VPXEncoder(.vp8, settings: VideoEncoderSettings(size: size, frameRate: 30, bitrate: 200_000))
        return try (0..<count).compactMap { index in
            var frame = VideoFrame.black(size, time: .zero + .milliseconds(index * 33))
            for place in 0..<size.area { frame.bytes[place] = UInt8(60 + index * 40) }
            return try encoder.encode(frame, asKeyFrame: index == 0)
        }
    }

    private func decode(_ frames: [EncodedVideoFrame], at times: [MonoTime]) -> PictureDecoder {
        let decoder = PictureDecoder("bob", store: store) { [bell] _ in bell.events.withLock { $0.append(.now()) } }
        for (frame, time) in zip(frames, times) {
            decoder.decode(
                ReceivedVideoFrame(
                    codec: .vp8, bytes: frame.bytes, isKeyFrame: frame.isKeyFrame, timestamp: 0, renderTime: time,
                    firstArrival: time, packetCount: 1))
        }
        return decoder
    }

    @Test func aPictureIsShownWhenItsTimeHasCome() async throws {
        let due = MonoTime.now() + .milliseconds(300)
        let decoder = decode(try frames(1), at: [due])
        #expect(await eventually { decoder.counters.framesDecoded == 1 })
        #expect(store.picture(of: "bob") == nil || MonoTime.now() >= due)
        #expect(await eventually { store.picture(of: "bob") != nil })
        #expect(bell.events.withLock { $0.first.map { $0 >= due } } == true)
        #expect(decoder.counters.freezes.framesShown == 1)
    }

    @Test func ofThoseThatAreLateTheNewestIsShownAndTheOthersAreCounted() async throws {
        let due = MonoTime.now() + .seconds(2)
        let decoder = decode(try frames(3), at: [due, due + .nanoseconds(1), due + .nanoseconds(2)])
        #expect(await eventually { decoder.counters.framesDecoded == 3 })
        #expect(await eventually { decoder.counters.freezes.framesShown == 1 })
        #expect(decoder.counters.freezes.framesDropped == 2)
        #expect((store.picture(of: "bob")?.bytes.first ?? 0) > 120, "the third")
    }

    @Test func nothingIsShownAfterTheEnd() async throws {
        let decoder = decode(try frames(2), at: [.now() + .milliseconds(200), .now() + .milliseconds(400)])
        #expect(await eventually { decoder.counters.framesDecoded == 2 })
        decoder.close()
        store.remove("bob")
        await passTime(.milliseconds(500))
        #expect(store.picture(of: "bob") == nil)
    }
}
