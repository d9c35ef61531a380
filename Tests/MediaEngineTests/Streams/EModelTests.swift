import MediaEngine
import Primitives
import Testing

@Suite struct EModelTests {
    private func model(
        _ codec: EModel.Codec = .opus, loss: Double = 0, burst: Double = 1, delay milliseconds: Double = 0
    ) -> EModel {
        EModel(codec: codec, lossRatio: loss, meanBurst: burst, delay: .fractional(seconds: milliseconds / 1000))
    }

    @Test(arguments: [
        // One-way delay in ms, R, MOS.
        (50.0, 92.0, 4.38), (75, 91.4, 4.37), (100, 90.8, 4.36), (150, 89.6, 4.33), (200, 85.9, 4.23),
        (250, 79.2, 3.99), (293, 73.4, 3.75), (400, 59.1, 3.05),
    ])
    func delayCostsWhatTheStandardSays(delay: Double, rating: Double, score: Double) {
        let model = model(delay: delay)
        #expect(abs(model.rating - rating) < 0.06)
        #expect(abs(model.meanOpinionScore - score) < 0.01)
    }

    @Test(arguments: [
        // Random loss, measured PESQ-WB of Opus at 32 kbit/s with plain concealment.
        (0.05, 2.95), (0.1, 2.16), (0.2, 1.50),
    ])
    func opusIsFittedToMeasuredConcealment(loss: Double, measured: Double) {
        #expect(abs(model(loss: loss).meanOpinionScore - measured) < 0.15)
    }

    @Test func longDelayIsBadAndNeverTurnsGood() {
        let scores = stride(from: 0.0, through: 3000, by: 10).map { model(delay: $0).meanOpinionScore }
        #expect(scores == scores.sorted(by: >))
        #expect(scores.last == 1)
    }

    @Test func moreLossIsNeverBetter() {
        let scores = stride(from: 0.0, through: 1, by: 0.01).map { model(loss: $0).meanOpinionScore }
        #expect(scores == scores.sorted(by: >))
        #expect(scores.allSatisfy { (1...4.5).contains($0) })
    }

    @Test func burstsAreWorseThanTheSameLossAtRandom() {
        #expect(model(loss: 0.05, burst: 3).rating < model(loss: 0.05).rating)
        #expect(model(.g711, loss: 0.05).rating > model(.opus, loss: 0.05).rating)
    }

    @Test func inputsOutOfRangeAreBroughtIn() {
        #expect(model(loss: -1, delay: -5) == model())
        #expect(model(loss: 7).rating == model(loss: 1).rating)
    }
}
