/// A sink or a source.
package struct SoundDevice: Hashable, Sendable {
    /// The stable name, as settings keep it.
    package var name: String
    /// The server's number for it; another after it was away.
    package var index: UInt32
    /// What people call it.
    package var description: String
    package var card: UInt32?
    package var ports: [DevicePort] = []
    package var activePort: String?
    package var isMuted = false
    /// The loudest channel; 1 is the server's 100 %.
    package var volume = 1.0
    /// The sink that this source only listens to.
    package var monitorOf: String?
    /// `device.form_factor`: `headset`, `headphone`, `handset`, `speaker`, `hands-free`, `webcam`, …
    package var formFactor: String?
    /// `device.bus`: `usb`, `pci`, `bluetooth`.
    package var bus: String?
    /// Whether nothing sounds: a null device, with no hardware behind it.
    package var isNull = false
    /// Whether it plays over the network, seconds late.
    package var isNetwork = false

    package init(name: String, index: UInt32, description: String = "", card: UInt32? = nil) {
        self.name = name
        self.index = index
        self.description = description.isEmpty ? name : description
        self.card = card
    }

    package var isMonitor: Bool {
        monitorOf != nil
    }

    package var isBluetooth: Bool {
        bus == "bluetooth"
    }

    /// What it is now: the active port's kind, or what its form says.
    package var kind: DeviceKind {
        let port = ports.first { $0.name == activePort }?.kind ?? .unknown
        return port == .unknown || port == .line ? formKind ?? port : port
    }

    /// The kind that the form says, whatever the port.
    package var formKind: DeviceKind? {
        switch formFactor {
        case "headset": .headset
        case "headphone": .headphones
        case "handset": .handset
        case "hands-free": .handsFree
        case "speaker", "portable", "hifi", "tv", "computer", "car": .speaker
        case "webcam", "microphone": .microphone
        default: nil
        }
    }
}

/// What a device or one of its ports is to a person.
package enum DeviceKind: Hashable, Sendable {
    case unknown
    case speaker
    case headphones
    case headset
    case handset
    case earpiece
    case handsFree
    case line
    case screen
    case microphone

    /// Whether only one person hears it (Q41).
    package var isPrivate: Bool {
        switch self {
        case .headphones, .headset, .handset, .earpiece, .handsFree: true
        case .unknown, .speaker, .line, .screen, .microphone: false
        }
    }

    /// Whether what it plays does not reach a microphone, so that there is no echo to cancel.
    package var isOnTheEars: Bool {
        self == .headphones || self == .headset
    }
}

/// A socket or an element of a device, of which one is in use.
package struct DevicePort: Hashable, Sendable {
    package var name: String
    package var description: String
    package var kind: DeviceKind
    /// `false`: nothing is plugged in. Unknown counts as available.
    package var isAvailable: Bool

    package init(name: String, description: String = "", kind: DeviceKind, isAvailable: Bool = true) {
        self.name = name
        self.description = description.isEmpty ? name : description
        self.kind = kind
        self.isAvailable = isAvailable
    }
}

/// A card: what makes sinks and sources, by its active profile.
package struct SoundCard: Hashable, Sendable {
    package var name: String
    package var index: UInt32
    package var description: String
    package var bus: String?
    package var profiles: [CardProfile] = []
    package var activeProfile: String?

    package init(name: String, index: UInt32, description: String = "", bus: String? = nil) {
        self.name = name
        self.index = index
        self.description = description.isEmpty ? name : description
        self.bus = bus
    }
}

/// One way to use a card.
package struct CardProfile: Hashable, Sendable {
    package var name: String
    package var description: String
    package var sinkCount: Int
    package var sourceCount: Int
    /// The server's own preference; higher is better.
    package var priority: Int
    package var isAvailable: Bool

    package init(
        name: String, description: String = "", sinkCount: Int, sourceCount: Int, priority: Int = 0,
        isAvailable: Bool = true
    ) {
        self.name = name
        self.description = description.isEmpty ? name : description
        self.sinkCount = sinkCount
        self.sourceCount = sourceCount
        self.priority = priority
        self.isAvailable = isAvailable
    }
}
