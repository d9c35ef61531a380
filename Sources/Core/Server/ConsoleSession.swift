import ControlProtocol
import Primitives
import Reactor

/// One connection of the socket: a console, a verb or a script.
///
/// It is never waited for: when its queue is long, no more of its requests are read, levels and statistics are left out
/// and patches make place for one whole state later; when it does not read at all, it is detached.
@EngineActor
final class ConsoleSession {
    /// What the client asked to receive.
    struct Subscription: Hashable {
        var isConsole = false
        var wantsLevels = true
        var wantsStatistics = true
    }

    /// What a client may cost.
    struct Limits: Hashable {
        /// Queued bytes above which only the newest state is kept for the client, and none of its requests is read.
        var slowByteCount = 256 << 10
        /// Queued bytes at which it is detached.
        var queueByteCount = 4 << 20
        /// How long it may not read before it is detached.
        var patience = Duration.seconds(30)
    }

    let connection: UnixConnection
    /// `nil` until it subscribed.
    var subscription: Subscription?
    /// Whether the client speaks another version, so that only frozen methods are offered.
    var isFrozenOnly = false
    /// Whether the client shows the microphone's level, with or without a call.
    var showsMeter = false
    /// Whether the client said that it leaves on purpose.
    var isLeaving = false
    /// Whether a request is being parsed elsewhere; the ones behind it wait.
    var isParsing = false {
        didSet { updateReading() }
    }
    /// Called once when the session has detached the client.
    var onDetached: (() -> Void)?
    /// Descriptors that go with the next answer.
    private var attached: [Int32] = []
    private let limits: Limits
    private let state: () -> RPCMessage
    private var isBacklogged = false
    private var missedPatches = false
    private var staleSince: MonoTime?

    /// - Parameter state: gives the whole state, for a client that missed patches.
    init(_ connection: UnixConnection, limits: Limits, state: @escaping () -> RPCMessage) {
        self.connection = connection
        self.limits = limits
        self.state = state
        connection.writeLimit = limits.queueByteCount
        connection.overlongAnswer = RPCMessage.error(
            id: .null, .parse("a line is longer than \(ProtocolVersion.maximumLineByteCount) bytes")
        ).line.dropLast()
        connection.onDrained = { [weak self] in self?.drained() }
    }

    func send(_ message: RPCMessage) {
        send(message.line.dropLast())
    }

    /// Has copies of these descriptors go with the next message (SCM_RIGHTS).
    func attach(_ descriptors: [Int32]) {
        attached = descriptors
    }

    /// Delivers an update, unless the client is slow.
    func deliver(_ update: Update, encoded line: ArraySlice<UInt8>) {
        guard let subscription else { return }
        switch update {
        case .levels where !subscription.wantsLevels: return
        case .statistics where !subscription.wantsStatistics: return
        default: break
        }
        guard connection.pendingByteCount < limits.slowByteCount else {
            skip(update)
            return
        }
        staleSince = nil
        let wasBehind = missedPatches
        catchUp()
        // The whole state has the change already.
        if wasBehind, case .patch = update { return }
        send(line)
    }

    private func send(_ line: ArraySlice<UInt8>) {
        defer { attached = [] }
        guard connection.send(line, descriptors: attached) else {
            detach("more than \(limits.queueByteCount >> 20) MiB wait for it")
            return
        }
        guard connection.pendingByteCount >= limits.slowByteCount, !isBacklogged else { return }
        isBacklogged = true
        updateReading()
    }

    private func drained() {
        staleSince = nil
        isBacklogged = false
        updateReading()
        catchUp()
    }

    private func catchUp() {
        guard missedPatches else { return }
        let whole = state()
        // Asking for the state may publish, which comes by here and has sent it then.
        guard missedPatches else { return }
        missedPatches = false
        send(whole)
    }

    private func skip(_ update: Update) {
        if case .patch = update { missedPatches = true }
        let now = MonoTime.now()
        let since = staleSince ?? now
        staleSince = since
        if now - since > limits.patience { detach("it did not read for \(Int(limits.patience.seconds)) s") }
    }

    private func updateReading() {
        connection.setReading(!isParsing && !isBacklogged)
    }

    private func detach(_ reason: String) {
        guard connection.isOpen else { return }
        Log.warning("server", "a console is detached: \(reason)")
        connection.close()
        onDetached?()
    }
}
