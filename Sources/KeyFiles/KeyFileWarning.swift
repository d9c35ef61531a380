/// Something in a key file that was passed over; the rest of the file holds.
package struct KeyFileWarning: Hashable, Sendable, CustomStringConvertible {
    /// The file's name as it was given.
    package let file: String
    /// The line, from 1; `nil` when the whole file is meant.
    package let line: Int?
    /// What is wrong and what was done about it.
    package let message: String

    package init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// What opens a file at `path` where it is to be mended.
    package func mendingCommand(path: String) -> String {
        "${EDITOR:-vi} " + (line.map { "+\($0) " } ?? "") + path
    }

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
