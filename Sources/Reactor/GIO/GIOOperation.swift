package import CGLib

/// One asynchronous GIO call, awaited.
@EngineActor
package enum GIOOperation {
    /// Begins the call by `start`, which hands both of its arguments on to a `g_…_async` function, and returns the
    /// `GAsyncResult` for the `g_…_finish` function. The caller keeps the object that is called.
    package static func result(of start: @EngineActor (GAsyncReadyCallback?, gpointer?) -> Void) async -> GReference {
        await withCheckedContinuation { continuation in
            start(resume, Unmanaged.passRetained(Waiting(continuation)).toOpaque())
        }
    }
}

private final class Waiting {
    let continuation: CheckedContinuation<GReference, Never>

    init(_ continuation: CheckedContinuation<GReference, Never>) {
        self.continuation = continuation
    }
}

private func resume(_: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
    guard let data, let result else { return }
    let waiting = Unmanaged<Waiting>.fromOpaque(data).takeRetainedValue()
    EngineActor.assumeIsolated(with: (waiting, UnsafeMutableRawPointer(result))) { waiting, result in
        waiting.continuation.resume(returning: GReference(retaining: result))
    }
}
