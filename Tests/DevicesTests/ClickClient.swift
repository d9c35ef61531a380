import MediaEngine
import Primitives
import Synchronization
import TestSupport

/// A client that plays a click now and then and takes the time until it hears it.
final class ClickClient: AudioClient {
    private struct State {
        var frame = 0
        var sentAt: MonoTime?
        var trips: [Duration] = []
    }

    private let state = Mutex(State())
    private let progress = Doorbell()

    /// The first `count` round trips, fewer when they do not come within 30 s.
    func roundTrips(_ count: Int) -> [Duration] {
        _ = progress.wait(within: .seconds(30)) { self.state.withLock { $0.trips.count >= count } }
        return Array(state.withLock { $0.trips }.prefix(count))
    }

    func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        guard frame.contains(where: { $0 > 0.5 }) else { return }
        state.withLock { state in
            guard let sentAt = state.sentAt else { return }
            state.sentAt = nil
            state.trips.append(now - sentAt)
        }
        progress.ring()
    }

    func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        frame.update(repeating: 0)
        state.withLock { state in
            state.frame += 1
            guard state.frame % 10 == 0, state.frame > 50 else { return }
            state.sentAt = now
            for index in 0..<48 { frame[index] = 0.9 }
        }
    }
}
