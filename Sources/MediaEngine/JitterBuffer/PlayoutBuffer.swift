/// Decoded samples: those to be played, and the last ones played, which concealment and stretching look back at.
struct PlayoutBuffer: ~Copyable {
    /// How many played samples are kept (40 ms).
    static let historySampleCount = 1920
    private static let capacity = 24_576

    private let storage: UnsafeMutablePointer<Float>
    private var begin = PlayoutBuffer.historySampleCount
    private var end = PlayoutBuffer.historySampleCount

    /// The history begins as silence.
    init() {
        storage = .allocate(capacity: Self.capacity)
        storage.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// Samples to be played.
    var count: Int {
        end - begin
    }

    /// The samples to be played, preceded by `historySampleCount` samples of history.
    var next: UnsafeMutablePointer<Float> {
        storage + begin
    }

    /// The last `count` samples, played or not, up to `historySampleCount` of them.
    func last(_ count: Int) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: storage + end - count, count: count)
    }

    /// Appends samples; what does not fit is left out.
    mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        guard let source = samples.baseAddress else { return }
        makeRoom(for: samples.count)
        let count = min(samples.count, Self.capacity - end)
        (storage + end).update(from: source, count: count)
        end += count
    }

    /// Takes the last `count` samples back.
    mutating func removeLast(_ count: Int) {
        end -= min(max(count, 0), self.count)
    }

    /// Moves as many samples as `frame` holds into it; the rest of `frame` becomes silence.
    mutating func play(into frame: UnsafeMutableBufferPointer<Float>) {
        guard let target = frame.baseAddress else { return }
        let count = min(frame.count, self.count)
        target.update(from: storage + begin, count: count)
        (target + count).update(repeating: 0, count: frame.count - count)
        begin += count
    }

    /// Removes `count` samples that follow the first `offset`.
    mutating func remove(_ count: Int, at offset: Int) {
        guard count > 0, offset >= 0, offset + count <= self.count else { return }
        let hole = storage + begin + offset
        hole.update(from: hole + count, count: self.count - offset - count)
        end -= count
    }

    /// Inserts samples after the first `offset`.
    mutating func insert(_ samples: UnsafeBufferPointer<Float>, at offset: Int) {
        makeRoom(for: samples.count)
        guard let source = samples.baseAddress, offset >= 0, offset <= count, end + samples.count <= Self.capacity
        else { return }
        let hole = storage + begin + offset
        (hole + samples.count).update(from: hole, count: count - offset)
        hole.update(from: source, count: samples.count)
        end += samples.count
    }

    private mutating func makeRoom(for added: Int) {
        guard end + added > Self.capacity else { return }
        let kept = Self.historySampleCount + count
        storage.update(from: storage + begin - Self.historySampleCount, count: kept)
        begin = Self.historySampleCount
        end = kept
    }
}
