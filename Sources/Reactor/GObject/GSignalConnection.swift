import CGLib

/// One handler on one GObject signal, disconnected when this dies. It keeps the object alive meanwhile.
@EngineActor
package final class GSignalConnection {
    private let object: GReference
    private let identifier: gulong

    /// `handler` is a file-scope function bound to a `@convention(c)` type that is exactly the signal's C signature
    /// (nothing can check that), whose last parameter is the user data: `CallbackTarget.owner(of:)` finds
    /// `owner`, which is held weakly.
    package init<Handler>(
        _ object: GReference, _ signal: String, owner: AnyObject, handler: Handler
    ) {
        precondition(MemoryLayout<Handler>.size == MemoryLayout<GCallback>.size, "the handler is not a C function")
        self.object = object
        identifier = g_signal_connect_data(
            object.raw, signal, unsafeBitCast(handler, to: GCallback.self),
            CallbackTarget(owner).retainedPointer(), releaseTarget, GConnectFlags(rawValue: 0))
    }

    isolated deinit {
        g_signal_handler_disconnect(object.raw, identifier)
    }
}

private func releaseTarget(_ data: gpointer?, _: UnsafeMutablePointer<GClosure>?) {
    CallbackTarget.release(data)
}
