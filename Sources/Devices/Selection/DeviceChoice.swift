package import MediaEngine

/// A sink or source that was chosen.
package struct ChosenDevice: Hashable, Sendable {
    package var device: SoundDevice
    /// The stable name of the device that this one stands in for until it is back.
    package var awaiting: String?

    package init(_ device: SoundDevice, awaiting: String? = nil) {
        self.device = device
        self.awaiting = awaiting
    }

    /// What the stream is connected to.
    package var target: StreamTarget {
        .named(device.name, index: device.index)
    }
}

/// What became of the wish for a route.
package enum RouteOutcome: Hashable, Sendable {
    /// The sound goes where it was to go, or nothing was asked.
    case asWished
    /// There is only one output, or none of the other kind.
    case singleOutput
    /// The port was switched for every program of this user, and will be switched back after the call (A37.2).
    case switchedPort(sink: String, port: String)
}

/// The devices to use, and what is to be said about them.
package struct DeviceChoice: Hashable, Sendable {
    package var sink: ChosenDevice?
    package var source: ChosenDevice?
    /// A configured or held device that is away while nothing can stand in.
    package var awaitedSink: String?
    package var awaitedSource: String?
    /// Where the sound goes now; `nil`: nowhere.
    package var route: AudioRoute?
    package var routeOutcome = RouteOutcome.asWished
    /// Whether the other route can be taken at all.
    package var canChangeRoute = false
    /// The Bluetooth profile that was switched on for its microphone, for every program of this user.
    package var switchedProfile: String?
    /// What to ask of the server now; each switch is undone by `DeviceSelection.end`.
    package var commands: [ServerCommand] = []

    package init() {}

    /// Whether the microphone belongs to another device than the output (Q34).
    package var microphoneIsElsewhere: Bool {
        guard let sink = sink?.device, let source = source?.device else { return false }
        return sink.card != source.card
    }

    /// The stages of the processing that make sense here: echo cancellation not on headphones, nothing on null devices.
    package var usefulProcessing: AudioProcessingSettings {
        var settings = AudioProcessingSettings()
        let hears = source.map { !$0.device.isNull } ?? false
        let sounds = sink.map { !$0.device.isNull && !$0.device.kind.isOnTheEars } ?? false
        settings.cancelsEcho = hears && sounds
        settings.suppressesNoise = hears
        settings.controlsGain = hears
        return settings
    }
}
