import MediaEngine

/// Cuts sound of any length into the frames of the audio path, and frames into any length. Allocates only in `init`.
struct FrameSplitter: ~Copyable {
    private let frame: UnsafeMutableBufferPointer<Float>
    /// Samples in `frame` that wait: the beginning of a frame being filled, or the end of one being used up.
    private(set) var pendingCount = 0

    init() {
        frame = .allocate(capacity: AudioFormat.frameSampleCount)
        frame.initialize(repeating: 0)
    }

    deinit {
        frame.deallocate()
    }

    /// Forgets what waits.
    mutating func reset() {
        pendingCount = 0
    }

    /// Appends `count` samples (`nil`: silence) and hands out each frame that becomes full; `consumed` is how many of
    /// the `count` were used up by then, so that the frame's first sample is number `consumed` − 480 of them.
    mutating func push(
        _ samples: UnsafePointer<Float>?, count: Int, _ body: (UnsafeBufferPointer<Float>, _ consumed: Int) -> Void
    ) {
        var offset = 0
        while offset < count, let base = frame.baseAddress {
            let part = min(frame.count - pendingCount, count - offset)
            let place = base.advanced(by: pendingCount)
            if let samples {
                place.update(from: samples.advanced(by: offset), count: part)
            } else {
                place.update(repeating: 0, count: part)
            }
            pendingCount += part
            offset += part
            guard pendingCount == frame.count else { continue }
            pendingCount = 0
            body(UnsafeBufferPointer(frame), offset)
        }
    }

    /// Fills `count` samples at `output`, calling `render` for each further frame that is needed; `produced` is the
    /// number of the `count` samples that come before that frame.
    mutating func pull(
        into output: UnsafeMutablePointer<Float>, count: Int,
        _ render: (UnsafeMutableBufferPointer<Float>, _ produced: Int) -> Void
    ) {
        var offset = 0
        while offset < count, let base = frame.baseAddress {
            let place = output.advanced(by: offset)
            if pendingCount == 0, count - offset >= frame.count {
                render(UnsafeMutableBufferPointer(start: place, count: frame.count), offset)
                offset += frame.count
                continue
            }
            if pendingCount == 0 {
                render(frame, offset)
                pendingCount = frame.count
            }
            let part = min(pendingCount, count - offset)
            place.update(from: base.advanced(by: frame.count - pendingCount), count: part)
            pendingCount -= part
            offset += part
        }
    }
}
