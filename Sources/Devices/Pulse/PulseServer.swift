import CPulse
import Glibc
import Primitives

/// The control connection: what devices there are, and the few things that are asked of the server besides streams.
///
/// It comes back by itself, for ever, when the server does. Methods are called on the engine thread and wait for no
/// operation; news comes through `onEvent` on the connection's thread, which hands it to the engine and returns.
package final class PulseServer {
    /// News of the server.
    package enum Event: Hashable, Sendable {
        /// Connected, or something changed: all that there is.
        case inventory(DeviceInventory)
        /// No server, or no longer: why. Said once until it is back.
        case lost(String)
        /// A command did not work: why, in the library's words.
        case refused(ServerCommand, String)
    }

    private let control: PulseControl?

    package init(
        identity: ApplicationIdentity, server: String? = nil, onEvent: @escaping @Sendable (Event) -> Void
    ) {
        control = PulseControl(identity: identity, server: server, onEvent: onEvent)
    }

    deinit {
        control?.close()
    }

    /// Starts the connection's thread and looks for the server.
    package func open() {
        control?.open()
    }

    /// Goes to another server.
    package func setServer(_ server: String?) {
        control?.setServer(server)
    }

    /// Asks for `command`; a refusal comes as an event, success as a changed inventory. Without a server: nothing.
    package func perform(_ command: ServerCommand) {
        control?.perform(command)
    }

    /// Ends the connection and its thread, and waits for it. Nothing can follow.
    package func close() {
        control?.close()
    }
}
