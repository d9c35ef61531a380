/// Leads a concealed sound into the decoded one that follows it.
struct Merger: ~Copyable {
    /// The length of the joint: 5 ms.
    static let overlap = 240
    /// How far the joint is moved at most, so that both sounds are in step: 15 ms.
    static let longestShift = 720
    private static let window = 240

    private let search = SimilaritySearch()

    init() {}

    /// Makes the first samples of `head` go on from `tail`, and returns how many samples of `tail` go before them. A
    /// tail shorter than the joint is joined by as much as there is.
    func join(tail: UnsafeBufferPointer<Float>, to head: UnsafeMutableBufferPointer<Float>) -> Int {
        guard let old = tail.baseAddress, let new = head.baseAddress else { return 0 }
        let count = min(Self.overlap, tail.count, head.count)
        let room = min(tail.count - count, Self.longestShift)
        var shift = 0
        if count == Self.window, room > 0 {
            let match = search.bestMatch(of: new, count: count, from: old, isBackward: false, lags: 0...room)
            shift = match.correlation > 0.3 ? match.lag : 0
        }
        Crossfade.mix(from: old + shift, to: new, into: new, count: count)
        return shift
    }
}
