import CPulse
import MediaEngine
import Primitives
import Synchronization

/// The stream that the client hears the microphone by.
final class CaptureStream: PulseStream {
    /// A backlog beyond this came of a stall; only its newest frames are worth sending.
    private static let backlogLimitSampleCount = AudioFormat.rateHz / 5
    private static let backlogKeptSampleCount = 4 * AudioFormat.frameSampleCount

    private var splitter = FrameSplitter()

    override func connect(_ data: UnsafeMutableRawPointer) -> Int32 {
        pa_stream_set_read_callback(stream, captureArrived, data)
        var wish = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: wanted.capture.byteCount)
        return pa_stream_connect_record(stream, targetName, &wish, Self.flags)
    }

    override func clearCallbacks() {
        super.clearCallbacks()
        pa_stream_set_read_callback(stream, nil, nil)
    }

    override func granted(_ attributes: pa_buffer_attr) -> GrantedLatency {
        GrantedLatency(buffer: .bytes(attributes.fragsize), request: .bytes(attributes.fragsize))
    }

    fileprivate func arrived() {
        dropBacklog()
        let now = MonoTime.now()
        while nextPiece({ samples, count in take(samples, count: count, at: now) }) != nil {}
    }

    private func take(_ samples: UnsafePointer<Float>?, count: Int, at now: MonoTime) {
        if samples == nil { counters.missingSamples.wrappingAdd(count, ordering: .relaxed) }
        // libpulse knows the age of what is read next: of this piece's first sample. For monitors it subtracts the
        // sink's latency, but no frame can be younger than its own length.
        let age = measuredLatency()
        splitter.push(samples, count: count) { frame, consumed in
            let frameAge = age - .samples(consumed - frame.count)
            turnstile.captured(frame, latency: max(frameAge, AudioFormat.frameDuration), at: now)
            counters.frames.wrappingAdd(1, ordering: .relaxed)
        }
    }

    private func dropBacklog() {
        guard readableSampleCount > Self.backlogLimitSampleCount else { return }
        splitter.reset()
        counters.overflows.wrappingAdd(1, ordering: .relaxed)
        while readableSampleCount > Self.backlogKeptSampleCount, let count = nextPiece({ _, _ in }) {
            counters.missingSamples.wrappingAdd(count, ordering: .relaxed)
        }
    }

    private var readableSampleCount: Int {
        let byteCount = pa_stream_readable_size(stream)
        // The library's error value is the largest size.
        return byteCount == Int(bitPattern: UInt.max) ? 0 : byteCount / Self.bytesPerSample
    }

    /// Hands the next piece to `body` (`nil` samples: a hole) and drops it. Returns its length in samples; `nil`:
    /// there is none.
    private func nextPiece(_ body: (UnsafePointer<Float>?, _ count: Int) -> Void) -> Int? {
        var data: UnsafeRawPointer?
        var size = 0
        guard readableSampleCount > 0, pa_stream_peek(stream, &data, &size) == 0, size > 0 else { return nil }
        body(data?.assumingMemoryBound(to: Float.self), size / Self.bytesPerSample)
        pa_stream_drop(stream)
        return size / Self.bytesPerSample
    }
}

private func captureArrived(_ stream: OpaquePointer?, _ byteCount: Int, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<CaptureStream>.fromOpaque(data).takeUnretainedValue().arrived()
}
