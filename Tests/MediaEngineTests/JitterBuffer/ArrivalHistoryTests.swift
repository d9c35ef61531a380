import Testing

@testable import MediaEngine

@Suite struct ArrivalHistoryTests {
    private static let packet = 960

    @Test func anEvenStreamHasNoDelay() {
        var history = ArrivalHistory()
        for index in 0..<500 {
            #expect(history.record(arrival: 7000 + index * Self.packet, mediaTime: index * Self.packet) == 0)
        }
    }

    @Test func delayIsMeasuredAgainstTheFastestOfTwoSeconds() {
        var history = ArrivalHistory()
        _ = history.record(arrival: 1000, mediaTime: 0)
        #expect(history.record(arrival: 1000 + 960 + 480, mediaTime: 960) == 480)
        // The first one is forgotten after 2 s: then the slow ones are the fastest.
        for index in 2..<120 {
            _ = history.record(arrival: 1480 + index * Self.packet, mediaTime: index * Self.packet)
        }
        #expect(history.record(arrival: 1480 + 120 * Self.packet, mediaTime: 120 * Self.packet) == 0)
    }

    @Test func aFasterPacketBecomesTheMeasure() {
        var history = ArrivalHistory()
        _ = history.record(arrival: 2000, mediaTime: 0)
        #expect(history.record(arrival: 2000 + 960 - 500, mediaTime: 960) == 0)
        #expect(history.record(arrival: 2000 + 1920, mediaTime: 1920) == 500)
    }

    @Test func anotherTimeLineStartsAnew() {
        var history = ArrivalHistory()
        _ = history.record(arrival: 1000, mediaTime: 0)
        #expect(history.record(arrival: 2000, mediaTime: 1 << 31) == 0)
        #expect(history.record(arrival: 3000, mediaTime: 0) == 0)
    }

    @Test func extremesDoNotTrap() {
        var history = ArrivalHistory()
        for arrival in [Int.max, .min, 0, -1, .max] {
            for mediaTime in [Int.min, .max, 0] { _ = history.record(arrival: arrival, mediaTime: mediaTime) }
        }
    }
}
