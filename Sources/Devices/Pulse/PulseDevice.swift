package import MediaEngine

/// Streams at the sound server: one that plays, and one that captures while the microphone is open.
///
/// The connection and its thread are this device's own. It comes back by itself, for ever, when the server does. All
/// methods are called on the engine thread and wait for nothing but a callback that is under way.
package final class PulseDevice: AudioDevice {
    /// What is known about the device at one moment.
    package struct Status: Hashable, Sendable {
        package var isConnected = false
        /// Why there is no server; `nil` while connected and before the first attempt has ended.
        package var lostReason: String?
        package var playback = StreamStatus.closed
        package var capture = StreamStatus.closed

        package init() {}
    }

    package let playbackCounters = StreamCounters()
    package let captureCounters = StreamCounters()
    private let streams: PulseStreams?

    /// `server`: a server string as PulseAudio knows it; `nil`: the user's own. `onChange` is called on the device's
    /// thread with each new status; it hands it to the engine and returns at once.
    package init(
        identity: ApplicationIdentity, server: String? = nil, wanted: WantedLatency = WantedLatency(),
        onChange: @escaping @Sendable (Status) -> Void = { _ in }
    ) {
        streams = PulseStreams(
            identity: identity, server: server, wanted: wanted, playbackCounters: playbackCounters,
            captureCounters: captureCounters, onChange: onChange)
    }

    deinit {
        streams?.close()
    }

    /// The status at this moment.
    package var status: Status {
        streams?.currentStatus ?? Status()
    }

    /// Opens the streams and calls `client` from then on.
    package func start(_ client: any AudioClient, capture: Bool) {
        attach(client)
        open(capture: capture)
    }

    /// Opens the streams without changing who is called; while nobody is, they play silence.
    package func open(capture: Bool) {
        streams?.open(capture: capture)
    }

    /// Has `client` called from now on; `nil`: nobody. When this returns, the one before is called no more.
    package func attach(_ client: (any AudioClient)?) {
        streams?.attach(client)
    }

    package func setCapture(_ isOpen: Bool) {
        streams?.setCapture(isOpen)
    }

    /// What the two directions are connected to from now on; one whose target stays is not disturbed.
    package func setTargets(sink: StreamTarget, source: StreamTarget) {
        streams?.setTargets(sink: sink, source: source)
    }

    /// Goes to another server.
    package func setServer(_ server: String?) {
        streams?.setServer(server)
    }

    /// Closes the streams; the connection stays.
    package func stop() {
        attach(nil)
        streams?.stop()
    }

    /// Ends the connection and its thread, and waits for it. Nothing can follow.
    package func close() {
        stop()
        streams?.close()
    }
}
