/// JSON merge patches (RFC 7396): how the core sends what changed in its state.
///
/// Objects merge member by member, `null` removes a member, everything else replaces. The state is therefore free of
/// null members that mean something, and its collections that change often are objects keyed by id.
package enum MergePatch {
    /// The patch that turns `old` into `new`; `nil` when they are equal.
    package static func difference(from old: JSONValue, to new: JSONValue) -> JSONValue? {
        guard old != new else { return nil }
        guard case .object(let before) = old, case .object(let after) = new else { return new }
        var patch: [String: JSONValue] = [:]
        for (key, value) in after {
            guard let previous = before[key] else {
                patch[key] = value
                continue
            }
            patch[key] = difference(from: previous, to: value)
        }
        for key in before.keys where after[key] == nil {
            patch[key] = .null
        }
        return .object(patch)
    }

    /// `target` with `patch` applied (RFC 7396, section 2).
    package static func apply(_ patch: JSONValue, to target: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var result: [String: JSONValue] = [:]
        if case .object(let members) = target { result = members }
        for (key, value) in changes {
            result[key] = value == .null ? nil : apply(value, to: result[key] ?? .null)
        }
        return .object(result)
    }
}
