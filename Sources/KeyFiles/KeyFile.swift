internal import CGLib
package import Primitives

/// A configuration file or theme in the freedesktop key file format, held by GLib: comments and order survive saving.
///
/// Reading never fails on content: what cannot be understood is passed over with a warning that names the line.
package struct KeyFile: ~Copyable {
    /// The file's name for messages: its path, or what the maker called it.
    package let name: String
    /// What was passed over while reading.
    package private(set) var warnings: [KeyFileWarning]

    let handle: OpaquePointer
    /// Whether everything that was read is held, so that saving loses nothing.
    private(set) var isWhole = true
    private let lines: [KeyFileAddress: Int]

    /// Reads a key file from its bytes. What stands before the first group line is of `unnamedGroup`, if there is one.
    package init(bytes: [UInt8], name: String, unnamedGroup: String? = nil) {
        self.name = name
        let scanner = KeyFileScanner(bytes, file: name, unnamedGroup: unnamedGroup)
        handle = g_key_file_new()
        lines = scanner.lines
        warnings = scanner.warnings
        let text = scanner.text
        isWhole = bytes.count <= KeyFileScanner.byteLimit
        guard !text.isEmpty else { return }
        var error: UnsafeMutablePointer<GError>?
        let flags = GKeyFileFlags(rawValue: G_KEY_FILE_KEEP_COMMENTS.rawValue | G_KEY_FILE_KEEP_TRANSLATIONS.rawValue)
        if g_key_file_load_from_data(handle, text, gsize(text.utf8.count), flags, &error) == 0 {
            warnings.append(KeyFileWarning(file: name, line: nil, message: Self.take(error)))
            isWhole = false
        }
    }

    /// Reads a key file from its text.
    package init(text: String, name: String, unnamedGroup: String? = nil) {
        self.init(bytes: Array(text.utf8), name: name, unnamedGroup: unnamedGroup)
    }

    deinit {
        g_key_file_unref(handle)
    }

    /// The groups in the file's order.
    package var groups: [String] {
        var count: gsize = 0
        return Self.take(g_key_file_get_groups(handle, &count))
    }

    /// The keys of `group` in the file's order; none when there is no such group.
    package func keys(in group: String) -> [String] {
        guard KeyFileAddress.isGroupName(group), g_key_file_has_group(handle, group) != 0 else { return [] }
        var count: gsize = 0
        return Self.take(g_key_file_get_keys(handle, group, &count, nil))
    }

    /// The line on which `key` was read, from 1; `nil` when it was set since, or is not there.
    package func line(of key: String, in group: String) -> Int? {
        lines[KeyFileAddress(group: group, key: key)]
    }

    /// Sets a value; the key's comment stays. A name that cannot be written is refused.
    package mutating func set(_ value: String, for key: String, in group: String) throws(UserFacingError) {
        guard KeyFileAddress.isGroupName(group), KeyFileAddress.isKeyName(key) else {
            throw UserFacingError(
                "\(name): cannot set [\(group)] \(key)", why: "=, # and brackets cannot be in a name",
                remedy: "choose another name")
        }
        g_key_file_set_string(handle, group, key, value.filter { $0 != "\0" })
    }

    /// Removes a value, if it is there.
    package mutating func remove(_ key: String, in group: String) {
        guard KeyFileAddress.isGroupName(group), KeyFileAddress.isKeyName(key) else { return }
        g_key_file_remove_key(handle, group, key, nil)
    }

    /// The file as it would be saved.
    package var text: String {
        var length: gsize = 0
        guard let data = g_key_file_to_data(handle, &length, nil) else { return "" }
        defer { g_free(data) }
        return String(cString: data)
    }

    private static func take(_ error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "cannot be read" }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }

    private static func take(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
        guard let list else { return [] }
        defer { g_strfreev(list) }
        var result: [String] = []
        while let item = list[result.count] { result.append(String(cString: item)) }
        return result
    }
}
