import Synchronization

/// News from the sound server's threads on the way to the engine thread.
final class DeviceInbox: Sendable {
    /// What came since the last look.
    struct News {
        var events: [PulseServer.Event] = []
        var status: PulseDevice.Status?
    }

    private let news = Mutex(News())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Any thread.
    func put(_ event: PulseServer.Event) {
        news.withLock { $0.events.append(event) }
        wake()
    }

    /// Any thread.
    func put(_ status: PulseDevice.Status) {
        news.withLock { $0.status = status }
        wake()
    }

    func take() -> News {
        news.withLock { news in
            defer { news = News() }
            return news
        }
    }
}
