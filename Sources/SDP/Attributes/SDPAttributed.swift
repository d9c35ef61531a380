/// What has attribute lines: a session and its media sections.
package protocol SDPAttributed {
    var attributes: [SDPAttribute] { get set }
}

extension SDPAttributed {
    /// The values of all attributes of that name, in order; one without a value counts as empty.
    package func values(of name: String) -> [Substring] {
        attributes.lazy.filter { $0.name == name }.map { Substring($0.value ?? "").trimmed }
    }

    /// The value of the first attribute of that name.
    package func value(of name: String) -> Substring? {
        attributes.first { $0.name == name }.map { Substring($0.value ?? "").trimmed }
    }

    package func has(_ name: String) -> Bool {
        attributes.contains { $0.name == name }
    }

    package mutating func add(_ name: String, _ value: String? = nil) {
        attributes.append(SDPAttribute(name, value))
    }
}
