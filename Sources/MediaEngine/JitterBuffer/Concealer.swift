/// Extends a sound by its last pitch period, fading out: for codecs that cannot conceal by themselves.
struct Concealer: ~Copyable {
    private static let shortestLag = 120
    private static let longestLag = 720
    private static let window = 480
    /// Where the period's end is led into its beginning.
    private static let overlap = 120
    /// The sound stays at full level so long (10 ms), then fades to nothing until `end` (120 ms).
    private static let holdSampleCount = 480
    private static let endSampleCount = 5760

    private let search = SimilaritySearch()
    private let cycle: UnsafeMutablePointer<Float>
    private var lag = 0
    private var position = 0
    private var step: Float = 0

    init() {
        cycle = .allocate(capacity: Self.longestLag)
        cycle.initialize(repeating: 0, count: Self.longestLag)
    }

    deinit {
        cycle.deallocate()
    }

    /// Whether an extension has begun.
    var isActive: Bool {
        lag > 0
    }

    /// Whether the extension has faded to nothing.
    var isSilent: Bool {
        position >= Self.endSampleCount
    }

    /// Learns the sound that ends with `history`, of at least `PlayoutBuffer.historySampleCount` samples.
    mutating func begin(after history: UnsafeBufferPointer<Float>) {
        guard let start = history.baseAddress, history.count >= PlayoutBuffer.historySampleCount else { return }
        let end = start + history.count
        let piece = end - Self.window
        let match = search.bestMatch(
            of: piece, count: Self.window, from: piece, isBackward: true, lags: Self.shortestLag...Self.longestLag)
        lag = match.correlation > 0.5 ? match.lag : Self.longestLag
        position = 0
        cycle.update(from: end - lag, count: lag)
        let seam = lag - Self.overlap
        Crossfade.mix(
            from: cycle + seam, to: end - lag - Self.overlap, into: cycle + seam, count: Self.overlap)
        step = end[-1] - end[-lag - 1]
    }

    /// Writes the next `samples.count` samples of the extension; silence when none has begun.
    mutating func extend(into samples: UnsafeMutableBufferPointer<Float>) {
        guard isActive else {
            samples.update(repeating: 0)
            return
        }
        for index in samples.indices {
            var value = cycle[position % lag]
            if position < Self.overlap {
                value += step * (1 - Float(position + 1) / Float(Self.overlap + 1))
            }
            samples[index] = value * gain
            position = min(position + 1, Self.endSampleCount * 2)
        }
    }

    /// Forgets the extension.
    mutating func end() {
        lag = 0
    }

    private var gain: Float {
        guard position > Self.holdSampleCount else { return 1 }
        let faded = Float(position - Self.holdSampleCount) / Float(Self.endSampleCount - Self.holdSampleCount)
        return max(0, 1 - faded)
    }
}
