import MediaEngine
import Primitives
import Testing

@Suite struct QueuingDelayTests {
    private func at(_ milliseconds: Double) -> MonoTime {
        .zero + .fractional(seconds: milliseconds / 1000)
    }

    /// Groups each 20 ms whose arrivals lie `slope` further apart, and `jitter` about.
    private func usages(
        slope: Double, jitter: Double = 0, count: Int, in trendline: inout TrendlineEstimator, from start: Int = 0
    ) -> [BandwidthUsage] {
        var random = SplitMix64(seed: 3)
        var groups = DelayGroups()
        return (start..<start + count).map { index in
            let sent = Double(index) * 20
            let queue = Double(index - start) * 20 * slope
            if let variation = groups.receive(
                sent: at(sent), arrival: at(sent + 50 + queue + abs(random.normal()) * jitter))
            {
                trendline.receive(variation)
            }
            return trendline.usage
        }
    }

    @Test func aQueueThatGrowsIsFoundAndOneThatDrainsToo() throws {
        var trendline = TrendlineEstimator()
        #expect(usages(slope: 0, count: 100, in: &trendline).allSatisfy { $0 == .normal })
        let growing = usages(slope: 0.2, count: 50, in: &trendline, from: 100)
        let found = try #require(growing.firstIndex(of: .overusing))
        #expect(found < 25)
        #expect(usages(slope: -0.3, count: 50, in: &trendline, from: 150).contains(.underusing))
    }

    @Test func jitterIsNoTrend() {
        var trendline = TrendlineEstimator()
        let usages = usages(slope: 0, jitter: 5, count: 1000, in: &trendline)
        #expect(usages.count { $0 == .overusing } < 20)
    }

    @Test func theThresholdFollowsWhatOthersDo() {
        var trendline = TrendlineEstimator()
        _ = usages(slope: 0, count: 200, in: &trendline)
        let quiet = trendline.threshold
        _ = usages(slope: 0.05, count: 100, in: &trendline, from: 200)
        #expect(quiet == 6)
        #expect(trendline.threshold > quiet)
    }

    @Test func packetsThatLeaveTogetherAreOneGroup() {
        var groups = DelayGroups()
        var variations: [DelayVariation] = []
        for frame in 0..<4 {
            for packet in 0..<5 {
                let sent = Double(frame) * 33 + Double(packet)
                // Each packet takes 2 ms at the bottleneck.
                let arrival = Double(frame) * 33 + 50 + Double(packet) * 2
                if let variation = groups.receive(sent: at(sent), arrival: at(arrival)) { variations.append(variation) }
            }
        }
        #expect(variations.count == 2)
        #expect(variations.allSatisfy { $0.sendDelta == .milliseconds(33) && $0.arrivalDelta == .milliseconds(33) })
    }

    @Test func whatArrivesIsMeasured() throws {
        var acknowledged = AcknowledgedBitrate()
        #expect(acknowledged.bitrate == nil)
        for index in 0..<400 {
            let byteCount = index < 200 ? 1000 : 2000
            acknowledged.receive(byteCount: byteCount, at: at(Double(index) * 10), isApplicationLimited: false)
            if index == 199 { #expect(abs(try #require(acknowledged.bitrate) - 800_000) < 40_000) }
        }
        #expect(abs(try #require(acknowledged.bitrate) - 1_600_000) < 80_000)
    }
}
