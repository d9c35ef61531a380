/// A line `x=value` of a description that has no type of its own here, kept as it came.
package struct SDPLine: Hashable, Sendable {
    /// The letter before `=`, in ASCII.
    package var type: UInt8
    package var value: String

    package init(type: Character, value: String) {
        self.type = type.asciiValue ?? UInt8(ascii: "?")
        self.value = value
    }

    init(type: UInt8, value: String) {
        self.type = type
        self.value = value
    }
}

/// An attribute line, `a=name` or `a=name:value` (RFC 8866, section 5.13).
package struct SDPAttribute: Hashable, Sendable {
    package var name: String
    /// `nil`: a property attribute, which has no colon.
    package var value: String?

    package init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }

    /// Reads what follows `a=`.
    init(line: Substring) {
        let (name, value) = line.cut(at: ":")
        self.name = String(name)
        self.value = value.map(String.init)
    }
}
