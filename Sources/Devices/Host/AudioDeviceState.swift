package import MediaEngine

/// What is known about the sound devices, for a screen: each missing thing is a value here, never an error.
package struct AudioDeviceState: Hashable, Sendable {
    /// The sound server.
    package enum Server: Hashable, Sendable {
        /// The first attempt has not ended.
        case searching
        /// There is none, or we were refused: why. It is looked for as long as the program runs.
        case absent(reason: String)
        case running(name: String, version: String)
    }

    /// The output or the input.
    package enum Endpoint: Hashable, Sendable {
        /// No call has the devices.
        case idle
        /// The microphone is released, by our own wish.
        case closed
        /// The server has no such device.
        case none
        /// The stream is being made.
        case opening(name: String, description: String)
        case running(name: String, description: String, granted: GrantedLatency)
        /// The server refused the stream: why. It is tried again.
        case failed(name: String, reason: String)
    }

    /// Who drives the call.
    package enum Clock: Hashable, Sendable {
        /// No call.
        case none
        /// The sound server.
        case server
        /// Our own, since the server is absent, has no device, or stands still.
        case own
    }

    package var server = Server.searching
    package var output = Endpoint.idle
    package var input = Endpoint.idle
    package var clock = Clock.none
    /// The stable name of the output that is awaited; what runs meanwhile stands in.
    package var awaitedOutput: String?
    /// The stable name of the input that is awaited; what runs meanwhile stands in.
    package var awaitedInput: String?
    /// Where the sound goes; `nil`: nowhere.
    package var route: AudioRoute?
    /// Whether the other route can be taken.
    package var canChangeRoute = false
    /// The processing stages that make sense with these devices; the others are to be off.
    package var usefulProcessing = AudioProcessingSettings()
    package var notices: [DeviceNotice] = []

    package init() {}
}

extension AudioDeviceState.Endpoint {
    package var isRunning: Bool {
        if case .running = self { true } else { false }
    }

    /// The stable name of the device, where there is one.
    package var name: String? {
        switch self {
        case .opening(let name, _), .running(let name, _, _), .failed(let name, _): name
        case .idle, .closed, .none: nil
        }
    }
}
