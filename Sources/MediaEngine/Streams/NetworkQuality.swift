/// How good a path is for talking, in six steps: what is told of it falls at once and rises when it has been better twice.
package struct NetworkQuality: Hashable, Sendable {
    /// 1 to 6.
    package enum Grade: Int, CaseIterable, Hashable, Sendable {
        case excellent = 1
        case good
        case poor
        case bad
        case veryBad
        /// Nothing arrives.
        case down

        /// The grade of an E-model rating of 0…100.
        init(rating: Double) {
            switch rating {
            case 85...: self = .excellent
            case 75..<85: self = .good
            case 65..<75: self = .poor
            case 50..<65: self = .bad
            default: self = .veryBad
            }
        }
    }

    /// `nil`: not known yet.
    package private(set) var grade: Grade?
    private var betterCount = 0

    package init() {}

    /// Takes the rating of the last interval, the worse of both directions; `nil`: nothing arrives.
    package mutating func update(rating: Double?) {
        let current = rating.map(Grade.init) ?? .down
        guard let grade, current.rawValue < grade.rawValue else {
            (self.grade, betterCount) = (current, 0)
            return
        }
        betterCount += 1
        if betterCount >= 2 { (self.grade, betterCount) = (current, 0) }
    }
}
