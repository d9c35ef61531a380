/// One thing of this machine that was looked at for a call.
package struct Finding: Hashable, Sendable {
    /// What was looked at.
    package var subject: String
    package var isFine: Bool
    /// Whether what is not fine is there, and something is wrong with it; else it is missing.
    package var isWrong = false
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

    /// Something that is there and not as it should be.
    package init(wrong subject: String, _ text: String, command: String?) {
        self.init(subject: subject, isFine: false, text: text, command: command)
        isWrong = true
    }

    /// `ok`, `missing` or `wrong`.
    package var word: String {
        isFine ? "ok" : isWrong ? "wrong" : "missing"
    }
}
