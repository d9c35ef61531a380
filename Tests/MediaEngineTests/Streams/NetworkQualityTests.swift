import Testing

@testable import MediaEngine

@Suite struct NetworkQualityTests {
    @Test(arguments: [(93.0, 1), (85, 1), (84, 2), (75, 2), (66, 3), (50, 4), (49, 5), (0, 5)])
    func aRatingHasItsGrade(rating: Double, grade: Int) {
        var quality = NetworkQuality()
        #expect(quality.grade == nil)
        quality.update(rating: rating)
        #expect(quality.grade?.rawValue == grade)
    }

    @Test func itFallsAtOnceAndRisesWhenItHasBeenBetterTwice() {
        var quality = NetworkQuality()
        var grades: [Int?] = []
        for rating: Double? in [90, 60, 90, 60, 90, 90, nil, 90, nil, 90, 90] {
            quality.update(rating: rating)
            grades.append(quality.grade?.rawValue)
        }
        #expect(grades == [1, 4, 4, 4, 4, 1, 6, 6, 6, 6, 1])
    }
}
