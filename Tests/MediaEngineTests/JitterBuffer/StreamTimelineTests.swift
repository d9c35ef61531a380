import Primitives
import Testing

@testable import MediaEngine

@Suite struct StreamTimelineTests {
    private func packet(_ sequence: UInt16, _ timestamp: UInt32, ssrc: UInt32 = 1) -> AudioPacket {
        AudioPacket(
            stream: 0, payloadType: 0, marker: false, sequenceNumber: sequence, ssrc: ssrc, timestamp: timestamp,
            level: 0, arrival: .init(nanoseconds: 0))
    }

    @Test func wrapsContinue() {
        var timeline = StreamTimeline()
        #expect(timeline.locate(packet(65_535, .max - 959), rateHz: 48_000).verdict == .starts)
        let (verdict, place) = timeline.locate(packet(0, 0), rateHz: 48_000)
        #expect(verdict == .continues)
        #expect(place.sequence == 65_536)
        #expect(place.mediaTime == 1 << 32)
    }

    @Test func eightKilohertzCountSixfold() {
        var timeline = StreamTimeline()
        let first = timeline.locate(packet(1, 160), rateHz: 8000).place
        let second = timeline.locate(packet(2, 320), rateHz: 8000).place
        #expect(second.mediaTime - first.mediaTime == 960)
    }

    @Test func reorderedPacketsKeepTheirPlaces() {
        var timeline = StreamTimeline()
        let first = timeline.locate(packet(10, 0), rateHz: 48_000).place
        let third = timeline.locate(packet(12, 1920), rateHz: 48_000).place
        let second = timeline.locate(packet(11, 960), rateHz: 48_000).place
        #expect(second.sequence == first.sequence + 1 && third.sequence == first.sequence + 2)
        #expect(second.mediaTime == first.mediaTime + 960)
    }

    @Test func aLeapNeedsASecondPacket() {
        var timeline = StreamTimeline()
        _ = timeline.locate(packet(10, 0), rateHz: 48_000)
        #expect(timeline.locate(packet(30_000, 0), rateHz: 48_000).verdict == .strays)
        #expect(timeline.locate(packet(11, 960), rateHz: 48_000).verdict == .continues)
        #expect(timeline.locate(packet(30_001, 0), rateHz: 48_000).verdict == .strays)
        #expect(timeline.locate(packet(30_002, 960), rateHz: 48_000).verdict == .starts)
    }

    @Test func anotherSourceStartsAtOnce() {
        var timeline = StreamTimeline()
        _ = timeline.locate(packet(10, 0), rateHz: 48_000)
        #expect(timeline.locate(packet(11, 960, ssrc: 2), rateHz: 48_000).verdict == .starts)
    }
}
