package import CGLib

/// Ends asynchronous GIO calls before their time: by `cancel()`, at a time limit, or when it dies. They then fail with
/// `G_IO_ERROR_CANCELLED`.
@EngineActor
package final class Cancellation {
    private let cancellable = GReference(owning: UnsafeMutableRawPointer(g_cancellable_new()))
    private var timer: EngineTimer?

    /// - Parameter limit: how long the calls may take together; `nil`: as long as they like.
    package init(after limit: Duration? = nil) {
        guard let limit else { return }
        timer = EngineTimer { [weak self] in self?.cancel() }
        timer?.arm(after: limit)
    }

    isolated deinit {
        cancel()
    }

    /// For the GIO call.
    package var pointer: UnsafeMutablePointer<GCancellable> {
        cancellable.typed()
    }

    package var isCancelled: Bool {
        g_cancellable_is_cancelled(pointer) != 0
    }

    package func cancel() {
        g_cancellable_cancel(pointer)
    }
}
