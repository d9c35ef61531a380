/// What a switch is asked to become.
package enum SwitchWish: Hashable, Sendable {
    case on
    case off
    case toggle

    /// The state that follows from the present one.
    package func applied(to present: Bool) -> Bool {
        switch self {
        case .on: true
        case .off: false
        case .toggle: !present
        }
    }
}

/// The checked parameters of one request.
package struct Arguments: Hashable, Sendable {
    private let values: [String: JSONValue]

    /// Checks `params` against the table of `method`: known names, right kinds, nothing missing. Names that are not in
    /// the table are refused, unless they come from a client of another version.
    package init(_ params: JSONValue?, for method: Method, ignoresUnknown: Bool = false) throws(RPCError) {
        var given: [String: JSONValue] = [:]
        switch params {
        case nil, .null: break
        case .object(let members): given = members
        case .some(let other):
            throw .invalidParams("\(method.name): parameters are given by name in an object, not as \(other.kindName)")
        }
        var checked: [String: JSONValue] = [:]
        for parameter in method.parameters {
            if let value = given.removeValue(forKey: parameter.name), value != .null {
                checked[parameter.name] = try parameter.check(value)
            } else if parameter.isRequired {
                throw .invalidParams("parameter “\(parameter.name)” is missing: \(parameter.expectation)")
            }
        }
        if !ignoresUnknown, let unknown = given.keys.sorted().first {
            let known = method.parameters.map(\.name).joined(separator: ", ")
            throw .invalidParams(
                "no parameter \(unknown.quoted); \(method.name) takes \(known.isEmpty ? "none" : known)")
        }
        values = checked
    }

    package func string(_ name: String) -> String? {
        values[name]?.stringValue
    }

    package func integer(_ name: String) -> Int? {
        values[name]?.integerValue
    }

    package func bool(_ name: String) -> Bool? {
        values[name]?.boolValue
    }

    package func value(_ name: String) -> JSONValue? {
        values[name]
    }

    package func strings(_ name: String) -> [String]? {
        guard case .array(let items) = values[name] else { return nil }
        return items.compactMap(\.stringValue)
    }

    /// The wish of a toggle parameter; `.toggle` when it was left out.
    package func wish(_ name: String) -> SwitchWish {
        switch values[name] {
        case .bool(true): .on
        case .bool(false): .off
        default: .toggle
        }
    }
}
