package import ControlProtocol

/// What the console's model wants done.
package enum ConsoleEffect: Hashable, Sendable {
    /// A request to the core; its id is told to the model by `sent(_:id:)`.
    case request(ConsoleRequest)
    /// End this console and print `line`, if there is one.
    case exit(line: String?)
    /// Stop as a job (Ctrl-Z).
    case suspend
    /// Sound the terminal's bell.
    case bell
    /// Draw the whole screen again.
    case redraw
    /// Show this theme instead of the one in `hoot.conf`; `nil`: show that one again.
    case theme(String?)
    /// Write a line into the history of the command line.
    case remember(String)
    /// Give a text to the terminal's clipboard.
    case copy(String)
}

/// One request and what its answer is for.
package struct ConsoleRequest: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        /// Its failure is a message that begins with these words.
        case plain(String)
        /// It changes the microphone, whose line says so until the core confirms.
        case microphone
        /// It pushes to talk, or lets go.
        case talk
        case devices
        case state
        /// It chooses what the others are to see; its failure begins with these words.
        case source(String)
        /// Its failure gives the text back.
        case chat(TextPrompt)
        /// Makes an invite, lists them, withdraws one.
        case invite
        case invites
        case revoke
        /// Lists the settings, changes one; a refusal gives what was typed back.
        case settings
        case setting(name: String, typed: TextPrompt?)
        /// It was typed so at the command line.
        case typed(String)
        /// Its failure is not worth a word.
        case quiet
        /// The console ends when it is answered.
        case exit
    }

    package var method: String
    package var params: [String: JSONValue]
    package var purpose: Purpose

    package init(_ method: String, _ params: [String: JSONValue] = [:], purpose: Purpose) {
        self.method = method
        self.params = params
        self.purpose = purpose
    }
}
