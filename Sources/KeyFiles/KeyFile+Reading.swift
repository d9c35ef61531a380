internal import CGLib
package import Primitives

/// Typed reads. An absent key is `nil`; a value that does not fit is an error that says where, why and what fits.
extension KeyFile {
    /// The value as text, its escapes (`\s \n \t \r \\`) resolved.
    package func string(_ key: String, in group: String) throws(UserFacingError) -> String? {
        guard has(key, in: group) else { return nil }
        var error: UnsafeMutablePointer<GError>?
        let value = g_key_file_get_string(handle, group, key, &error)
        defer { g_free(value) }
        // GLib reports a bad escape and hands out the value all the same.
        guard error == nil, let value else {
            g_clear_error(&error)
            throw problem(key, in: group, "has an escape that is none", "use \\s, \\n, \\t, \\r or \\\\")
        }
        return String(cString: value)
    }

    /// A whole number within `range`.
    package func integer(
        _ key: String, in group: String, range: ClosedRange<Int>
    ) throws(UserFacingError) -> Int? {
        guard let text = try trimmed(key, in: group) else { return nil }
        guard let value = Int(text) else {
            throw problem(key, in: group, "\"\(text)\" is no whole number", Self.wish(range))
        }
        guard range.contains(value) else {
            throw problem(key, in: group, "\(value) is out of range", Self.wish(range))
        }
        return value
    }

    /// A number within `range`, with a decimal point whatever the locale.
    package func number(
        _ key: String, in group: String, range: ClosedRange<Double>
    ) throws(UserFacingError) -> Double? {
        guard let text = try trimmed(key, in: group) else { return nil }
        guard let value = Double(text), value.isFinite else {
            throw problem(key, in: group, "\"\(text)\" is no number", Self.wish(range))
        }
        guard range.contains(value) else {
            throw problem(key, in: group, "\(text) is out of range", Self.wish(range))
        }
        return value
    }

    /// `on`, `yes`, `true`, `1` or `off`, `no`, `false`, `0`.
    package func boolean(_ key: String, in group: String) throws(UserFacingError) -> Bool? {
        guard let text = try trimmed(key, in: group) else { return nil }
        switch text.lowercased() {
        case "on", "yes", "true", "1": return true
        case "off", "no", "false", "0": return false
        default: throw problem(key, in: group, "\"\(text)\" is neither on nor off", "use on or off")
        }
    }

    /// One of the raw values of `Choice`.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, in group: String, of type: Choice.Type = Choice.self
    ) throws(UserFacingError) -> Choice? {
        guard let text = try trimmed(key, in: group) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem(key, in: group, "\"\(text)\" is not one of its values", "use one of: \(names)")
        }
        return choice
    }

    /// A list separated by commas or semicolons, its items trimmed, empty ones left out.
    package func strings(_ key: String, in group: String) throws(UserFacingError) -> [String]? {
        guard let text = try string(key, in: group) else { return nil }
        return text.split { $0 == "," || $0 == ";" }.map { String($0.trimmingSpaces()) }.filter { !$0.isEmpty }
    }

    private func has(_ key: String, in group: String) -> Bool {
        KeyFileAddress.isGroupName(group) && KeyFileAddress.isKeyName(key)
            && g_key_file_has_group(handle, group) != 0 && g_key_file_has_key(handle, group, key, nil) != 0
    }

    private func trimmed(_ key: String, in group: String) throws(UserFacingError) -> String? {
        try string(key, in: group).map { String($0.trimmingSpaces()) }
    }

    private func problem(_ key: String, in group: String, _ why: String, _ remedy: String) -> UserFacingError {
        let place = line(of: key, in: group).map { "\(name):\($0)" } ?? name
        return UserFacingError("\(place): [\(group)] \(key)", why: why, remedy: remedy)
    }

    private static func wish<Bound>(_ range: ClosedRange<Bound>) -> String {
        "use \(range.lowerBound) to \(range.upperBound)"
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    fileprivate func trimmingSpaces() -> SubSequence {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
