/// An object on its way through a ring to the other thread: it owns one reference, which `take` gives back.
struct Handover: Sendable, BitwiseCopyable {
    private let bits: UInt

    init(_ object: AnyObject) {
        bits = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    }

    /// Takes the reference out; once, and with the type that was put in.
    func take<Object: AnyObject>(as type: Object.Type) -> Object {
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { preconditionFailure("an empty handover") }
        return Unmanaged<Object>.fromOpaque(pointer).takeRetainedValue()
    }
}
