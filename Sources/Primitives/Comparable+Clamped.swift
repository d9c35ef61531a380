extension Comparable {
    /// The value itself, or the nearer bound of `range` when it is outside.
    package func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
