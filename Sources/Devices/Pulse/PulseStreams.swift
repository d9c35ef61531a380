import CPulse
import Glibc
import MediaEngine
import Primitives

/// The two streams of a device and the connection that they live on. Everything is guarded by the main loop's lock:
/// the methods take it, the callbacks hold it.
final class PulseStreams: PulseConnectionOwner, PulseStreamOwner {
    let identity: ApplicationIdentity
    let wanted: WantedLatency
    let turnstile = ClientTurnstile()
    private let connection: PulseConnection
    private let playbackCounters: StreamCounters
    private let captureCounters: StreamCounters
    private let onChange: @Sendable (PulseDevice.Status) -> Void
    private var sink = StreamTarget.standard
    private var source = StreamTarget.standard
    private var isWanted = false
    private var wantsCapture = false
    private var playback: PlaybackStream?
    private var capture: CaptureStream?
    private var status = PulseDevice.Status()
    private var published = PulseDevice.Status()
    private var retry: OpaquePointer?
    /// What libpulse holds while the retry timer can fire.
    private var box: Unmanaged<PulseStreams>?

    init?(
        identity: ApplicationIdentity, server: String?, wanted: WantedLatency, playbackCounters: StreamCounters,
        captureCounters: StreamCounters, onChange: @escaping @Sendable (PulseDevice.Status) -> Void
    ) {
        let connection = PulseConnection(
            clientName: identity.name, threadName: identity.name + "-audio", properties: identity.clientProperties,
            server: server)
        guard let connection else { return nil }
        self.connection = connection
        self.identity = identity
        self.wanted = wanted
        self.playbackCounters = playbackCounters
        self.captureCounters = captureCounters
        self.onChange = onChange
    }

    var currentStatus: PulseDevice.Status {
        connection.locked { status }
    }

    func open(capture: Bool) {
        connection.locked {
            isWanted = true
            wantsCapture = capture
            settle()
        }
        guard box == nil else { return }
        box = Unmanaged.passRetained(self)
        connection.open(owner: self)
    }

    func attach(_ client: (any AudioClient)?) {
        connection.locked { turnstile.admit(client) }
    }

    func setCapture(_ isOpen: Bool) {
        connection.locked {
            wantsCapture = isOpen
            settle()
        }
    }

    func setTargets(sink: StreamTarget, source: StreamTarget) {
        connection.locked {
            self.sink = sink
            self.source = source
            settle()
        }
    }

    func setServer(_ server: String?) {
        connection.locked {
            closeStreams()
            status.isConnected = false
            connection.reconnect(to: server)
            publish()
        }
    }

    func stop() {
        connection.locked {
            isWanted = false
            settle()
        }
    }

    func close() {
        guard let box else { return }
        connection.locked { closeStreams() }
        connection.close()
        self.box = nil
        box.release()
    }

    func connectionOpened(_ context: OpaquePointer) {
        raiseThreadPriority()
        status.isConnected = true
        status.lostReason = nil
        settle()
    }

    func connectionLost(_ reason: String) {
        closeStreams()
        status.isConnected = false
        status.lostReason = reason
        publish()
    }

    func streamChanged() {
        let hasFailed = [playback?.status, capture?.status].contains { if case .failed = $0 { true } else { false } }
        if hasFailed, retry == nil, let box {
            retry = connection.schedule(after: .milliseconds(500), streamRetryIsDue, box.toOpaque())
        }
        publish()
    }

    fileprivate func retryStreams() {
        connection.cancel(retry)
        retry = nil
        settle()
    }

    /// Makes the streams what is wanted: closes, opens and replaces each direction without touching the other.
    private func settle() {
        guard let context = connection.readyContext else { return publish() }
        let playbackTarget = isWanted ? sink : .none
        if !fits(playback, playbackTarget) {
            playback?.close()
            playback = makePlayback(context, playbackTarget)
            playback?.open()
        }
        let captureTarget = isWanted && wantsCapture ? source : .none
        if !fits(capture, captureTarget) {
            capture?.close()
            capture = makeCapture(context, captureTarget)
            capture?.open()
        }
        publish()
    }

    private func makePlayback(_ context: OpaquePointer, _ target: StreamTarget) -> PlaybackStream? {
        guard target != .none else { return nil }
        return PlaybackStream(context: context, target: target, counters: playbackCounters, from: self)
    }

    private func makeCapture(_ context: OpaquePointer, _ target: StreamTarget) -> CaptureStream? {
        guard target != .none else { return nil }
        return CaptureStream(context: context, target: target, counters: captureCounters, from: self)
    }

    private func fits(_ stream: PulseStream?, _ target: StreamTarget) -> Bool {
        guard let stream else { return target == .none }
        if case .failed = stream.status { return false }
        return stream.target == target
    }

    private func closeStreams() {
        connection.cancel(retry)
        retry = nil
        playback?.close()
        playback = nil
        capture?.close()
        capture = nil
    }

    private func publish() {
        turnstile.captureDrivesPlayback = playback?.status.running == nil
        status.playback = playback?.status ?? .closed
        status.capture = capture?.status ?? .closed
        guard status != published else { return }
        published = status
        onChange(status)
    }
}

private func streamRetryIsDue(
    _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
    _ data: UnsafeMutableRawPointer?
) {
    guard let data else { return }
    Unmanaged<PulseStreams>.fromOpaque(data).takeUnretainedValue().retryStreams()
}
