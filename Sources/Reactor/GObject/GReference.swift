import CGLib

/// Owner of one reference to a GObject; releases it on the engine thread.
@EngineActor
package final class GReference {
    /// The object, valid while this lives. Final types import as `OpaquePointer`, derivable ones by `typed()`.
    package let raw: UnsafeMutableRawPointer

    /// Takes over the caller's reference.
    package init(owning object: UnsafeMutableRawPointer) {
        raw = object
    }

    /// Takes over the caller's reference.
    package convenience init(owning object: OpaquePointer) {
        self.init(owning: UnsafeMutableRawPointer(object))
    }

    /// Adds a reference to an object that somebody else owns.
    package convenience init(retaining object: UnsafeMutableRawPointer) {
        self.init(owning: g_object_ref(object))
    }

    package var opaque: OpaquePointer {
        OpaquePointer(raw)
    }

    /// The object as its C struct. The caller knows the class.
    package func typed<Object>(as _: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
        raw.assumingMemoryBound(to: Object.self)
    }

    isolated deinit {
        g_object_unref(raw)
    }
}

extension GReference {
    package func set(_ property: String, _ value: Bool) {
        set(property, type: 5) { g_value_set_boolean(&$0, value ? 1 : 0) }
    }

    package func set(_ property: String, _ value: UInt32) {
        set(property, type: 7) { g_value_set_uint(&$0, value) }
    }

    package func set(_ property: String, _ value: String) {
        set(property, type: 16) { g_value_set_string(&$0, value) }
    }

    /// `type` is the number of a fundamental type (`G_TYPE_…` are macros that Swift cannot see).
    private func set(_ property: String, type: GType, _ fill: (inout GValue) -> Void) {
        var value = GValue()
        g_value_init(&value, type << 2)
        fill(&value)
        g_object_set_property(raw.assumingMemoryBound(to: GObject.self), property, &value)
        g_value_unset(&value)
    }
}
