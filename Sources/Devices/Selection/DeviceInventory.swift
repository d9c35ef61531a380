/// What the sound server has, at one moment.
package struct DeviceInventory: Hashable, Sendable {
    package var serverName = ""
    package var serverVersion = ""
    /// The stable names of the server's defaults; `nil`: it has none.
    package var defaultSink: String?
    package var defaultSource: String?
    package var sinks: [SoundDevice] = []
    /// Monitors of sinks included.
    package var sources: [SoundDevice] = []
    package var cards: [SoundCard] = []
    /// Streams of this process.
    package var ownStreams: [OwnStream] = []

    package init() {}

    package func sink(named name: String?) -> SoundDevice? {
        name.flatMap { name in sinks.first { $0.name == name } }
    }

    package func source(named name: String?) -> SoundDevice? {
        name.flatMap { name in sources.first { $0.name == name } }
    }

    package func card(_ index: UInt32?) -> SoundCard? {
        index.flatMap { index in cards.first { $0.index == index } }
    }
}

/// One stream of this process at the server, as its mixers show it.
package struct OwnStream: Hashable, Sendable {
    package var index: UInt32
    package var isCapture: Bool
    package var isMuted: Bool
    /// 1 is the server's 100 %.
    package var volume: Double

    package init(index: UInt32, isCapture: Bool, isMuted: Bool, volume: Double) {
        self.index = index
        self.isCapture = isCapture
        self.isMuted = isMuted
        self.volume = volume
    }
}
