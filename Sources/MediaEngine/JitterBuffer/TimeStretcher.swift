/// Shortens and lengthens sound by whole pitch periods (waveform-similarity overlap-add). It knows nothing of time.
struct TimeStretcher: ~Copyable {
    /// 2.5 ms.
    private static let shortestLag = 120
    /// 15 ms.
    private static let longestLag = 720
    /// 5 ms.
    private static let overlap = 240
    /// 10 ms.
    private static let window = 480
    /// More sound than this, beyond what must be left, is of no use for shortening.
    static let longestNeed = longestLag

    private let search = SimilaritySearch()
    private let piece: UnsafeMutablePointer<Float>

    init() {
        piece = .allocate(capacity: Self.longestLag + Self.overlap)
        piece.initialize(repeating: 0, count: Self.longestLag + Self.overlap)
    }

    deinit {
        piece.deallocate()
    }

    /// Takes up to `limit` samples out of the sound to be played, leaving at least `kept`. Returns how many; 0 when
    /// the sound does not resemble itself by `minimumCorrelation`.
    func shorten(_ buffer: inout PlayoutBuffer, limit: Int, kept: Int, minimumCorrelation: Float) -> Int {
        let longest = min(limit, Self.longestLag, buffer.count - max(kept, Self.window))
        guard longest >= Self.shortestLag else { return 0 }
        let next = buffer.next
        let match = search.bestMatch(
            of: next, count: Self.window, from: next, isBackward: false, lags: Self.shortestLag...longest)
        guard isInaudible(match, at: next, and: next + match.lag, minimumCorrelation) else { return 0 }
        Crossfade.mix(from: next, to: next + match.lag, into: next, count: Self.overlap)
        buffer.remove(match.lag, at: Self.overlap)
        return match.lag
    }

    /// Puts up to `limit` samples into the sound to be played. Returns how many; 0 when the sound does not resemble
    /// itself by `minimumCorrelation`.
    func lengthen(_ buffer: inout PlayoutBuffer, limit: Int, minimumCorrelation: Float) -> Int {
        let longest = min(limit, Self.longestLag)
        guard longest >= Self.shortestLag, buffer.count >= Self.window else { return 0 }
        let next = buffer.next
        let match = search.bestMatch(
            of: next, count: Self.window, from: next, isBackward: true, lags: Self.shortestLag...longest)
        guard isInaudible(match, at: next, and: next - match.lag, minimumCorrelation) else { return 0 }
        let count = min(Self.overlap, match.lag)
        // The sound goes on into its own repetition, one period back, and passes this place a second time.
        Crossfade.mix(from: next, to: next - match.lag, into: piece, count: count)
        (piece + count).update(from: next - match.lag + count, count: match.lag - count)
        buffer.insert(UnsafeBufferPointer(start: piece, count: match.lag), at: 0)
        return match.lag
    }

    private func isInaudible(
        _ match: SimilaritySearch.Match, at left: UnsafePointer<Float>, and right: UnsafePointer<Float>,
        _ minimumCorrelation: Float
    ) -> Bool {
        match.correlation >= minimumCorrelation
            || max(Crossfade.power(left, count: Self.window), Crossfade.power(right, count: Self.window))
                < Crossfade.silentPower
    }
}
