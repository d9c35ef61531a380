import CPulse
import MediaEngine
import Primitives
import Synchronization

/// The stream that plays what the client renders.
final class PlaybackStream: PulseStream {
    private var splitter = FrameSplitter()
    private var hasStarted = false

    override func connect(_ data: UnsafeMutableRawPointer) -> Int32 {
        pa_stream_set_write_callback(stream, playbackRequested, data)
        pa_stream_set_started_callback(stream, playbackStarted, data)
        pa_stream_set_underflow_callback(stream, playbackUnderflowed, data)
        pa_stream_set_overflow_callback(stream, playbackOverflowed, data)
        var wish = pa_buffer_attr(
            maxlength: .max, tlength: wanted.playback.byteCount, prebuf: AudioFormat.frameDuration.byteCount,
            minreq: wanted.playbackRequest.byteCount, fragsize: .max)
        return pa_stream_connect_playback(stream, targetName, &wish, Self.flags, nil, nil)
    }

    override func clearCallbacks() {
        super.clearCallbacks()
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_started_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_overflow_callback(stream, nil, nil)
    }

    override func granted(_ attributes: pa_buffer_attr) -> GrantedLatency {
        GrantedLatency(buffer: .bytes(attributes.tlength), request: .bytes(attributes.minreq))
    }

    fileprivate func requested(_ byteCount: Int) {
        let now = MonoTime.now()
        let latency = measuredLatency()
        let sampleCount = byteCount / Self.bytesPerSample
        var written = 0
        while written < sampleCount {
            var place: UnsafeMutableRawPointer?
            var size = (sampleCount - written) * Self.bytesPerSample
            guard pa_stream_begin_write(stream, &place, &size) == 0, let place else { return }
            let count = min(size / Self.bytesPerSample, sampleCount - written)
            guard count > 0 else {
                pa_stream_cancel_write(stream)
                return
            }
            fill(
                place.assumingMemoryBound(to: Float.self), count: count, latency: latency + .samples(written), at: now)
            pa_stream_write(stream, place, count * Self.bytesPerSample, nil, 0, PA_SEEK_RELATIVE)
            written += count
        }
    }

    private func fill(_ output: UnsafeMutablePointer<Float>, count: Int, latency: Duration, at now: MonoTime) {
        splitter.pull(into: output, count: count) { frame, produced in
            turnstile.render(into: frame, latency: latency + .samples(produced), at: now)
            counters.frames.wrappingAdd(1, ordering: .relaxed)
        }
    }

    fileprivate func started() {
        hasStarted = true
    }

    fileprivate func underflowed() {
        guard hasStarted else { return }
        counters.underflows.wrappingAdd(1, ordering: .relaxed)
        refresh()
    }

    fileprivate func overflowed() {
        counters.overflows.wrappingAdd(1, ordering: .relaxed)
    }
}

private func playbackRequested(_ stream: OpaquePointer?, _ byteCount: Int, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<PlaybackStream>.fromOpaque(data).takeUnretainedValue().requested(byteCount)
}

private func playbackStarted(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<PlaybackStream>.fromOpaque(data).takeUnretainedValue().started()
}

private func playbackUnderflowed(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<PlaybackStream>.fromOpaque(data).takeUnretainedValue().underflowed()
}

private func playbackOverflowed(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<PlaybackStream>.fromOpaque(data).takeUnretainedValue().overflowed()
}
