import CPulse
import MediaEngine
import Primitives
import Synchronization

/// What a stream tells its owner: on the audio thread, with the main loop's lock held.
protocol PulseStreamOwner: AnyObject {
    /// The status of a stream changed; a failed one is to be replaced, but not within this call.
    func streamChanged()
}

/// One stream of the audio connection; `PlaybackStream` and `CaptureStream` know what flows. Everything here happens
/// with the main loop's lock held.
class PulseStream {
    static let bytesPerSample = MemoryLayout<Float>.size
    static let flags = pa_stream_flags_t(
        rawValue: PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
            | PA_STREAM_INTERPOLATE_TIMING.rawValue)

    let stream: OpaquePointer
    let target: StreamTarget
    let counters: StreamCounters
    let turnstile: ClientTurnstile
    let wanted: WantedLatency
    private(set) var status = StreamStatus.opening
    private weak var owner: (any PulseStreamOwner)?
    private var box: Unmanaged<PulseStream>?

    /// `nil` when the connection cannot take a further stream.
    init?(context: OpaquePointer, target: StreamTarget, counters: StreamCounters, from owner: PulseStreams) {
        var format = pa_sample_spec(format: cpulse_sample_float32(), rate: UInt32(AudioFormat.rateHz), channels: 1)
        let list = pa_proplist_new()
        defer { pa_proplist_free(list) }
        for (key, value) in owner.identity.streamProperties { pa_proplist_sets(list, key, value) }
        guard let stream = pa_stream_new_with_proplist(context, "call", &format, nil, list) else { return nil }
        self.stream = stream
        self.target = target
        self.counters = counters
        self.owner = owner
        turnstile = owner.turnstile
        wanted = owner.wanted
    }

    /// The name to connect to, for libpulse; `nil`: the server's default.
    final var targetName: String? {
        if case .named(let name, _) = target { name } else { nil }
    }

    /// Sets the callbacks of the direction and connects to the target. Returns 0 or a negative libpulse error.
    func connect(_ data: UnsafeMutableRawPointer) -> Int32 {
        0
    }

    /// Takes every callback away.
    func clearCallbacks() {
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_set_suspended_callback(stream, nil, nil)
        pa_stream_set_buffer_attr_callback(stream, nil, nil)
    }

    /// The granted latency in the terms of the direction.
    func granted(_ attributes: pa_buffer_attr) -> GrantedLatency {
        GrantedLatency(buffer: .zero, request: .zero)
    }

    final func open() {
        let box = Unmanaged.passRetained(self)
        self.box = box
        let data = box.toOpaque()
        pa_stream_set_state_callback(stream, streamStateChanged, data)
        pa_stream_set_moved_callback(stream, streamAttributesChanged, data)
        pa_stream_set_suspended_callback(stream, streamAttributesChanged, data)
        pa_stream_set_buffer_attr_callback(stream, streamAttributesChanged, data)
        if connect(data) < 0 { set(.failed(errorText)) }
    }

    /// Disconnects and frees. Called once, after `open`.
    final func close() {
        clearCallbacks()
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        box?.release()
        box = nil
    }

    /// The stream's latency at this moment, by libpulse's interpolated timing; negative ones are 0.
    final func measuredLatency() -> Duration {
        var microseconds: pa_usec_t = 0
        var isNegative: Int32 = 0
        guard pa_stream_get_latency(stream, &microseconds, &isNegative) == 0 else {
            return status.running?.granted.buffer ?? .zero
        }
        let value = isNegative != 0 ? 0 : Int(min(microseconds, 60_000_000))
        counters.latencyMicroseconds.store(value, ordering: .relaxed)
        return .microseconds(value)
    }

    /// Reads back what the server granted and where the stream is.
    final func refresh() {
        guard pa_stream_get_state(stream) == PA_STREAM_READY,
            let attributes = pa_stream_get_buffer_attr(stream), let name = pa_stream_get_device_name(stream)
        else { return }
        let running = RunningStream(
            device: String(cString: name), index: pa_stream_get_index(stream), granted: granted(attributes.pointee),
            isSuspended: pa_stream_is_suspended(stream) == 1)
        set(.running(running))
    }

    fileprivate final func stateChanged() {
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY: refresh()
        case PA_STREAM_FAILED: set(.failed(errorText))
        case PA_STREAM_TERMINATED: set(.failed("the device was removed"))
        default: break
        }
    }

    private func set(_ status: StreamStatus) {
        guard status != self.status else { return }
        self.status = status
        owner?.streamChanged()
    }

    private var errorText: String {
        String(cString: pa_strerror(pa_context_errno(pa_stream_get_context(stream))))
    }
}

extension Duration {
    /// The duration of `count` samples of the audio path.
    static func samples(_ count: Int) -> Duration {
        .nanoseconds(Int64(count) * 1_000_000_000 / Int64(AudioFormat.rateHz))
    }

    /// The duration of `count` bytes of the audio path's samples.
    static func bytes(_ count: UInt32) -> Duration {
        .samples(Int(count) / PulseStream.bytesPerSample)
    }
}

private func streamStateChanged(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<PulseStream>.fromOpaque(data).takeUnretainedValue().stateChanged()
}

private func streamAttributesChanged(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<PulseStream>.fromOpaque(data).takeUnretainedValue().refresh()
}
