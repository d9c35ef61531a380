package import Primitives

/// A one-shot timer with an absolute deadline on the monotonic clock; arm it again for the next time.
///
/// It fires on the engine thread, up to 1 ms late by GLib's poll and never early. Dropping it cancels it.
@EngineActor
package final class EngineTimer {
    @EngineActor
    private final class State {
        var deadline: MonoTime?
        let handler: @EngineActor () -> Void

        init(_ handler: @escaping @EngineActor () -> Void) {
            self.handler = handler
        }

        func fire() {
            guard deadline != nil else { return }
            deadline = nil
            handler()
        }
    }

    private let state: State
    private let source: EngineSource

    /// A timer that is not armed. `handler` must not hold the timer's owner strongly.
    package init(_ handler: @escaping @EngineActor () -> Void) {
        let state = State(handler)
        self.state = state
        source = EngineSource { state.fire() }
    }

    /// When it fires next; `nil`: it is not armed.
    package var deadline: MonoTime? {
        state.deadline
    }

    /// Fires once at `deadline` (at once when that has passed) instead of any earlier wish; `nil` cancels.
    package func arm(at deadline: MonoTime?) {
        guard deadline != state.deadline else { return }
        state.deadline = deadline
        guard let deadline else { return source.setReadyTime(-1) }
        source.setReadyTime(max(0, Int((deadline.nanoseconds &+ 999) / 1000)))
    }

    /// Fires once after `delay` from now.
    package func arm(after delay: Duration) {
        arm(at: .now() + delay)
    }

    package func cancel() {
        arm(at: nil)
    }
}
