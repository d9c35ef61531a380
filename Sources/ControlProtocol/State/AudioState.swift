/// The microphone, the speaker and what is done with them.
package struct AudioState: Codable, Hashable, Sendable {
    package var microphone = MicrophoneState.noMicrophone
    /// Whether the user muted the microphone; also true while it is closed or on hold, if it will be muted afterwards.
    package var isMuted = false
    package var isClosed = false
    /// Whether somebody pushes to talk; absent: the microphone is open without that.
    package var isTalking: Bool?
    /// Whether the microphone is open for its level alone, without a call; absent: it is not.
    package var isMetering: Bool?
    package var isDeafened = false
    /// Whether everybody was silenced (A22.2), and whether later joiners will be (A23.1).
    package var isEveryoneSilenced = false
    package var silencesJoiners = false
    /// 100 is unchanged.
    package var gainPercent = 100
    package var volumePercent = 100
    package var route = Route()
    package var server = SoundServerState()
    package var input: DeviceInUse?
    package var output: DeviceInUse?
    package var processing = ProcessingState()
    /// What would keep others from hearing: server mutes, volume 0, digital zeros, talking while muted.
    package var warnings: [MicrophoneWarning] = []

    package init() {}

    /// Whether nothing is sent only because nobody pushes to talk.
    package var waitsForPush: Bool {
        microphone == .muted && isTalking == false && !isMuted
    }
}

/// What the microphone line says. A console that lost its core adds its own “unknown”.
package enum MicrophoneState: String, Codable, Hashable, Sendable {
    /// Others hear it.
    case live
    /// The device is open, nothing is sent.
    case muted
    /// The device is released.
    case closed
    case noMicrophone
    case onHold
    /// There is no call: nothing is sent to anybody.
    case idle
}

package enum MicrophoneWarning: String, Codable, Hashable, Sendable {
    case mutedByServer
    case zeroVolume
    /// 5 s of exact zeros.
    case digitalSilence
    case speakingWhileMuted

    /// The warning in words that need nothing beside them.
    package var words: String {
        switch self {
        case .mutedByServer: "the sound server mutes the mic"
        case .zeroVolume: "the mic's volume is 0"
        case .digitalSilence: "the mic gives only zeros"
        case .speakingWhileMuted: "you speak while muted"
        }
    }
}

/// The sound server.
package struct SoundServerState: Codable, Hashable, Sendable {
    package var isConnected = false
    /// The address that is tried, or the server's own name and version when connected.
    package var name = ""
    /// Why it is not connected.
    package var reason: String?

    package init() {}
}

/// A device that is in use.
package struct DeviceInUse: Codable, Hashable, Sendable {
    /// The sound server's stable name.
    package var name: String
    /// The name for people.
    package var description: String
    /// The stable name of the chosen device for which this one stands in.
    package var standsInFor: String?
    /// The granted latency in milliseconds.
    package var latencyMs: Double?

    package init(name: String, description: String, standsInFor: String? = nil, latencyMs: Double? = nil) {
        self.name = name
        self.description = description
        self.standsInFor = standsInFor
        self.latencyMs = latencyMs
    }
}

/// Where the sound goes (Q41, Q42).
package struct Route: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        case speaker
        case receiver
    }

    package var current = Kind.speaker
    /// Whether the other one exists.
    package var canSwitch = false
    /// What switching does beyond our own streams, or why it cannot be done.
    package var note: String?

    package init() {}
}

/// What runs on the captured sound; off on null devices.
package struct ProcessingState: Codable, Hashable, Sendable {
    package var cancelsEcho = false
    package var suppressesNoise = false
    package var controlsGain = false

    package init() {}
}
