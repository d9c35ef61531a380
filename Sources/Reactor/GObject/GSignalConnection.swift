import CGLib

/// What a C callback gets as its user data: a weak way back to the object that registered it.
///
/// The library owns the target and frees it with `CallbackTarget.release`; the owner may die at any time.
package final class CallbackTarget<Owner: AnyObject> {
    private weak var owner: Owner?

    package init(_ owner: Owner) {
        self.owner = owner
    }

    /// The pointer for the C library, which holds one reference.
    package func retainedPointer() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(self).toOpaque()
    }

    /// The owner behind a callback's user data, `nil` once it is gone.
    package static func owner(of data: UnsafeMutableRawPointer?) -> Owner? {
        guard let data else { return nil }
        return Unmanaged<CallbackTarget>.fromOpaque(data).takeUnretainedValue().owner
    }

    /// Gives back the reference that `retainedPointer()` handed out.
    package static func release(_ data: UnsafeMutableRawPointer?) {
        guard let data else { return }
        Unmanaged<CallbackTarget>.fromOpaque(data).release()
    }
}

/// One handler on one GObject signal, disconnected when this dies. It keeps the object alive meanwhile.
@EngineActor
package final class GSignalConnection {
    private let object: GReference
    private let identifier: gulong

    /// `handler` is a file-scope function bound to a `@convention(c)` type that is exactly the signal's C signature
    /// (nothing can check that), whose last parameter is the user data: `CallbackTarget<Owner>.owner(of:)` finds
    /// `owner`, which is held weakly.
    package init<Handler, Owner: AnyObject>(
        _ object: GReference, _ signal: String, owner: Owner, handler: Handler
    ) {
        precondition(MemoryLayout<Handler>.size == MemoryLayout<GCallback>.size, "the handler is not a C function")
        self.object = object
        identifier = g_signal_connect_data(
            object.raw, signal, unsafeBitCast(handler, to: GCallback.self),
            CallbackTarget<AnyObject>(owner).retainedPointer(), releaseTarget, GConnectFlags(rawValue: 0))
    }

    isolated deinit {
        g_signal_handler_disconnect(object.raw, identifier)
    }
}

private func releaseTarget(_ data: gpointer?, _: UnsafeMutablePointer<GClosure>?) {
    CallbackTarget<AnyObject>.release(data)
}
