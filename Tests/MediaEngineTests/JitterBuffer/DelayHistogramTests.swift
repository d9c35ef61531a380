import Testing

@testable import MediaEngine

@Suite struct DelayHistogramTests {
    private func milliseconds(_ value: Int) -> Int {
        value * SampleTime.perMillisecond
    }

    @Test func aSingleOutlierDoesNotRaiseTheQuantile() {
        var histogram = DelayHistogram(forgetFactor: 0.96)
        histogram.add(milliseconds(400))
        #expect(histogram.quantile(0.95) == milliseconds(5))
    }

    @Test func repeatedDelaysRaiseTheQuantileToTheirBucket() {
        var histogram = DelayHistogram(forgetFactor: 0.96)
        for _ in 0..<3 { histogram.add(milliseconds(42)) }
        #expect(histogram.quantile(0.95) == milliseconds(45))
    }

    @Test func oldDelaysAreForgotten() {
        var histogram = DelayHistogram(forgetFactor: 0.96)
        for _ in 0..<100 { histogram.add(milliseconds(100)) }
        var additions = 0
        while histogram.quantile(0.95) > milliseconds(5), additions < 1000 {
            histogram.add(0)
            additions += 1
        }
        #expect(60...80 ~= additions)
    }

    @Test func delaysBeyondTheEndsCountInTheOuterBuckets() {
        var histogram = DelayHistogram(forgetFactor: 0.5)
        histogram.add(-5)
        #expect(histogram.quantile(0.9) == milliseconds(5))
        for _ in 0..<20 { histogram.add(.max) }
        #expect(histogram.quantile(0.9) == milliseconds(1000))
    }

    @Test func delayPaysOnlyWhereItSavesEnoughPackets() {
        var few = DelayHistogram(forgetFactor: 0.999)
        var many = few
        for index in 0..<4000 {
            few.add(index % 200 == 0 ? milliseconds(58) : 0)
            many.add(index % 20 == 0 ? milliseconds(58) : 0)
        }
        // 0.5 % of the packets are worth 10 ms, 5 % are worth 100 ms.
        #expect(few.cheapestDelay(samplesPerLossPercent: 960) == 0)
        #expect(many.cheapestDelay(samplesPerLossPercent: 960) == milliseconds(60))
    }
}
