package import CGLib

/// What a GLib function said when it failed.
package struct GLibError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The C function that failed.
    package var function: String
    package var code: Int32
    package var message: String

    /// Takes over and frees `error`.
    package init(_ function: String, taking error: UnsafeMutablePointer<GError>?) {
        self.function = function
        code = error?.pointee.code ?? 0
        message = error.map { String(cString: $0.pointee.message) } ?? "no reason given"
        if let error {
            g_error_free(error)
        }
    }

    package var description: String {
        "\(function): \(message)"
    }
}
