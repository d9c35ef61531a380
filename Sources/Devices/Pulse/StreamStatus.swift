/// The latency that the sound server granted; it may differ from what was asked for, and grow after underflows.
package struct GrantedLatency: Hashable, Sendable {
    /// Playback: the whole of our buffer and the device's. Capture: the size of the pieces that arrive.
    package var buffer: Duration
    /// Playback: the size of the pieces that are asked for. Capture: the same as `buffer`.
    package var request: Duration

    package init(buffer: Duration, request: Duration) {
        self.buffer = buffer
        self.request = request
    }
}

/// A stream that plays or captures.
package struct RunningStream: Hashable, Sendable {
    /// The stable name of the sink or source that it is really connected to; somebody may have moved it.
    package var device: String
    /// The stream's own index at the server.
    package var index: UInt32
    package var granted: GrantedLatency
    /// Whether the device is suspended, so that nothing flows.
    package var isSuspended = false

    package init(device: String, index: UInt32, granted: GrantedLatency, isSuspended: Bool = false) {
        self.device = device
        self.index = index
        self.granted = granted
        self.isSuspended = isSuspended
    }
}

/// One direction of a device.
package enum StreamStatus: Hashable, Sendable {
    /// Not wanted, or nothing to connect to.
    case closed
    /// The server was asked for it.
    case opening
    case running(RunningStream)
    /// The server refused or ended it, for this reason; it is tried again.
    case failed(String)

    package var running: RunningStream? {
        if case .running(let stream) = self { stream } else { nil }
    }
}

/// What a direction is to be connected to.
package enum StreamTarget: Hashable, Sendable {
    case none
    /// Whatever the server takes by default.
    case standard
    /// The sink or source of this stable name. `index` is its number at the server, where known: one that was away and
    /// came back has another, and the stream, which the server moved meanwhile, is connected anew.
    case named(String, index: UInt32? = nil)
}
