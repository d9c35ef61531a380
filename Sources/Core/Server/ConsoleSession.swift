import ControlProtocol
import Primitives
import Reactor

/// One connection of the socket: a console, a verb or a script.
///
/// It is never waited for: when its queue is long, levels and statistics are left out and patches make place for one
/// whole state later; when it does not read at all, it is detached.
@EngineActor
final class ConsoleSession {
    /// What the client asked to receive.
    struct Subscription: Hashable {
        var isConsole = false
        var wantsLevels = true
        var wantsStatistics = true
    }

    let connection: UnixConnection
    /// `nil` until it subscribed.
    var subscription: Subscription?
    /// Whether the client speaks another version, so that only frozen methods are offered.
    var isFrozenOnly = false
    /// Whether the client said that it leaves on purpose.
    var isLeaving = false
    /// The sound server of the client's environment.
    var pulseServer: String?
    private var missedPatches = false
    private var staleSince: MonoTime?

    /// Queued bytes above which only the newest state is kept for the client.
    private static let slowLimit = 256 << 10
    /// How long a client may not read before it is detached.
    private static let patience = Duration.seconds(30)

    init(_ connection: UnixConnection) {
        self.connection = connection
        connection.writeLimit = 4 << 20
    }

    func send(_ message: RPCMessage) {
        guard connection.send(message.line.dropLast()) else {
            connection.close()
            return
        }
    }

    /// Delivers an update, unless the client is slow. `state` is called only when a whole state has to be sent.
    func deliver(_ update: Update, encoded line: ArraySlice<UInt8>, state: () -> Update) {
        guard let subscription else { return }
        switch update {
        case .levels where !subscription.wantsLevels: return
        case .statistics where !subscription.wantsStatistics: return
        default: break
        }
        guard connection.pendingByteCount < Self.slowLimit else {
            skip(update)
            return
        }
        staleSince = nil
        if missedPatches {
            missedPatches = false
            if let whole = try? state().message() { send(whole) }
            if case .patch = update { return }
        }
        if !connection.send(line) { connection.close() }
    }

    private func skip(_ update: Update) {
        if case .patch = update { missedPatches = true }
        let now = MonoTime.now()
        let since = staleSince ?? now
        staleSince = since
        if now - since > Self.patience {
            Log.warning("server", "a console did not read for \(Int(Self.patience.seconds)) s and is detached")
            connection.close()
        }
    }
}
