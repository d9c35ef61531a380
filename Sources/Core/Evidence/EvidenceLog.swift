import ControlProtocol

/// The evidence of the last hour, of all calls, in the order of time.
struct EvidenceLog {
    /// Milliseconds that are kept.
    static let length = 3_600_000
    /// Samples of one answer: a line of the socket holds them with room to spare.
    static let pageLength = 500

    private var samples: [EvidenceSample] = []
    /// Samples before this one are out of date; they are dropped together, now and then.
    private var first = 0

    /// Adds a sample, which is the newest.
    mutating func add(_ sample: EvidenceSample) {
        samples.append(sample)
        while first < samples.count, samples[first].time < sample.time - Self.length { first += 1 }
        guard first > samples.count / 2 else { return }
        samples.removeFirst(first)
        first = 0
    }

    /// The samples from `since` on that `isWanted` takes, one page of them; and where the next page begins.
    func page(since: Int, where isWanted: (EvidenceSample) -> Bool) -> (samples: [EvidenceSample], next: Int?) {
        var page: [EvidenceSample] = []
        for sample in samples[first...] where sample.time >= since && isWanted(sample) {
            // A page ends between two moments, so that none is told twice or never.
            if page.count >= Self.pageLength, sample.time != page.last?.time { return (page, sample.time) }
            page.append(sample)
        }
        return (page, nil)
    }
}
