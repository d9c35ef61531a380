/// One thing of this machine that was looked at for a call.
package struct Finding: Hashable, Sendable {
    /// What was looked at.
    package var subject: String
    package var isFine: Bool
    /// What was found, in one line.
    package var text: String
    /// What mends it.
    package var command: String?

    package init(subject: String, isFine: Bool, text: String, command: String? = nil) {
        self.subject = subject
        self.isFine = isFine
        self.text = text
        self.command = command
    }
}
