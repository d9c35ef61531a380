/// What a C callback gets as its user data: a weak way back to the object that registered it.
///
/// The library owns the target and frees it with `CallbackTarget.release`; the owner may die at any time.
package final class CallbackTarget {
    private weak var owner: AnyObject?

    package init(_ owner: AnyObject) {
        self.owner = owner
    }

    /// The pointer for the C library, which holds one reference.
    package func retainedPointer() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(self).toOpaque()
    }

    /// The owner behind a callback's user data, `nil` once it is gone.
    package static func owner<Owner: AnyObject>(
        of data: UnsafeMutableRawPointer?, as _: Owner.Type = Owner.self
    ) -> Owner? {
        guard let data else { return nil }
        return Unmanaged<CallbackTarget>.fromOpaque(data).takeUnretainedValue().owner as? Owner
    }

    /// Gives back the reference that `retainedPointer()` handed out.
    package static func release(_ data: UnsafeMutableRawPointer?) {
        guard let data else { return }
        Unmanaged<CallbackTarget>.fromOpaque(data).release()
    }
}
