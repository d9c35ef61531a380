/// Finds where a sound resembles itself: first at a quarter of the rate, then to the sample.
struct SimilaritySearch: ~Copyable {
    /// A shift in samples and how alike both pieces are there, −1…1.
    struct Match: Hashable, Sendable {
        var lag: Int
        var correlation: Float
    }

    /// Longest window and longest span (window and lags) that are searched.
    static let longestWindow = 960
    private static let decimation = 4
    private static let capacity = 1024

    private let window: UnsafeMutablePointer<Float>
    private let span: UnsafeMutablePointer<Float>

    init() {
        window = .allocate(capacity: Self.capacity)
        span = .allocate(capacity: Self.capacity)
        window.initialize(repeating: 0, count: Self.capacity)
        span.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        window.deallocate()
        span.deallocate()
    }

    /// The lag within `lags` at which the `count` samples from `origin + lag` (or `origin - lag`, when `isBackward`)
    /// most resemble those from `piece`. All of them must be readable.
    func bestMatch(
        of piece: UnsafePointer<Float>, count: Int, from origin: UnsafePointer<Float>, isBackward: Bool,
        lags: ClosedRange<Int>
    ) -> Match {
        let coarse = coarseLag(of: piece, count: count, from: origin, isBackward: isBackward, lags: lags)
        let low = max(lags.lowerBound, coarse - Self.decimation - 1)
        let high = max(low, min(lags.upperBound, coarse + Self.decimation + 1))
        var best = Match(lag: low, correlation: -2)
        for lag in low...high {
            let other = isBackward ? origin - lag : origin + lag
            let correlation = Self.correlation(piece, other, count: count)
            if correlation > best.correlation { best = Match(lag: lag, correlation: correlation) }
        }
        return best
    }

    private func coarseLag(
        of piece: UnsafePointer<Float>, count: Int, from origin: UnsafePointer<Float>, isBackward: Bool,
        lags: ClosedRange<Int>
    ) -> Int {
        let step = Self.decimation
        let lowest = isBackward ? origin - lags.upperBound : origin + lags.lowerBound
        let places = (lags.upperBound - lags.lowerBound) / step
        let windowCount = min(count / step, Self.capacity)
        let spanCount = min(windowCount + places, Self.capacity)
        Self.decimate(piece, into: window, count: windowCount)
        Self.decimate(lowest, into: span, count: spanCount)
        var best = (place: 0, correlation: Float(-2))
        for place in 0...max(0, spanCount - windowCount) {
            let correlation = Self.correlation(window, span + place, count: windowCount)
            if correlation > best.correlation { best = (place, correlation) }
        }
        return isBackward ? lags.upperBound - best.place * step : lags.lowerBound + best.place * step
    }

    private static func decimate(
        _ source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, count: Int
    ) {
        for index in 0..<count {
            let four = source + index * decimation
            target[index] = four[0] + four[1] + four[2] + four[3]
        }
    }

    /// The normalised correlation of two pieces; 0 where either is silent.
    static func correlation(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int) -> Float {
        var product: Float = 0
        var leftEnergy: Float = 0
        var rightEnergy: Float = 0
        for index in 0..<count {
            product += left[index] * right[index]
            leftEnergy += left[index] * left[index]
            rightEnergy += right[index] * right[index]
        }
        let energy = (leftEnergy * rightEnergy).squareRoot()
        return energy > 1e-9 ? product / energy : 0
    }
}
