import ControlProtocol
import Dispatch
import Glibc
import Primitives
import Reactor

/// The core's socket: accepts consoles, answers their requests, sends them updates.
@EngineActor
final class ControlServer {
    /// Answers one checked request, now or later, exactly once.
    typealias Handler = (Arguments, ConsoleSession, @escaping Reply) -> Void
    typealias Reply = @EngineActor (Result<JSONValue, RPCError>) -> Void

    private let directories: Directories
    private let publisher: StatePublisher
    private var listener: UnixListener?
    private var sessions: [ObjectIdentifier: ConsoleSession] = [:]
    private var handlers: [String: Handler] = [:]
    private var watch: EngineTimer?
    /// Why the socket could not be made anew; said once.
    private var listenFailure: String?
    /// What each client may cost; for those that come from now on.
    var limits = ConsoleSession.Limits()
    /// Called when a session of a person came or went; the flag says whether it left on purpose.
    var onConsolesChanged: ((_ count: Int, _ leftOnPurpose: Bool) -> Void)?
    /// Called when a session of whatever kind is over.
    var onEnded: ((ConsoleSession) -> Void)?

    /// Called when the first client shows the microphone's level, and when none does any more.
    var onMetersChanged: ((_ isShown: Bool) -> Void)?
    private var isMeterShown = false

    /// More connections than any user has; a flood of them is refused.
    private static let connectionLimit = 64
    /// Parsing takes about 1 ms for each 2 KiB of the worst JSON: longer lines are parsed off the engine.
    private static let longLine = 2048
    private static let parsing = DispatchQueue(label: "hoot.parsing")

    init(directories: Directories, publisher: StatePublisher) {
        self.directories = directories
        self.publisher = publisher
        publisher.onPatch = { [weak self] revision, patch in
            self?.broadcast(.patch(revision: revision, patch))
        }
    }

    /// Begins to listen, and to look after the socket: when the file or its directory vanishes it is made anew.
    func start() throws {
        try listen()
        let watch = EngineTimer { [weak self] in self?.lookAfterSocket() }
        watch.arm(after: .milliseconds(500))
        self.watch = watch
    }

    /// Answers `method` by `handler`.
    func handle(_ method: String, _ handler: @escaping Handler) {
        precondition(Method.named(method) != nil && handlers[method] == nil, "\(method) is unknown or handled twice")
        handlers[method] = handler
    }

    /// Answers `method` by the value that `handler` returns.
    func handle(_ method: String, _ handler: @escaping (Arguments) throws(RPCError) -> JSONValue) {
        handle(method) { arguments, _, reply in
            do throws(RPCError) {
                reply(.success(try handler(arguments)))
            } catch {
                reply(.failure(error))
            }
        }
    }

    /// Methods of the table that nothing answers: none, in a whole core.
    var unhandledMethods: [String] {
        Method.all.map(\.name).filter { handlers[$0] == nil }
    }

    /// Consoles that a person sits at.
    var consoleCount: Int {
        sessions.values.count { $0.subscription?.isConsole == true }
    }

    /// Whether anybody wants levels at the moment.
    var wantsLevels: Bool {
        sessions.values.contains { $0.subscription?.wantsLevels == true }
    }

    /// Looks whether anybody shows the microphone's level still.
    func metersChanged() {
        let isShown = sessions.values.contains(where: \.showsMeter)
        guard isShown != isMeterShown else { return }
        isMeterShown = isShown
        onMetersChanged?(isShown)
    }

    func broadcast(_ update: Update) {
        guard sessions.values.contains(where: { $0.subscription != nil }),
            let line = try? update.message().line.dropLast()
        else { return }
        for session in sessions.values {
            session.deliver(update, encoded: line)
        }
    }

    /// Ends all connections once what was sent to them is written.
    func stop() {
        for session in sessions.values { session.connection.closeWhenWritten() }
        listener?.close()
        listener = nil
        watch = nil
    }

    /// The `state` notification, all changes published.
    var wholeState: RPCMessage {
        publisher.publish()
        return .request(id: nil, method: "state", params: publisher.whole)
    }

    private func listen() throws {
        try directories.prepareRuntime()
        listener = try UnixListener(path: directories.socketPath) { [weak self] connection in
            self?.accept(connection)
        }
    }

    private func lookAfterSocket() {
        defer { watch?.arm(after: .milliseconds(500)) }
        guard listener?.isReachable != true else { return }
        do {
            try listen()
            listenFailure = nil
            Log.info("server", "the socket had vanished and was made anew at \(directories.socketPath)")
        } catch {
            guard listenFailure != "\(error)" else { return }
            listenFailure = "\(error)"
            Log.warning("server", "the socket cannot be made anew: \(error)")
        }
    }

    private func accept(_ connection: UnixConnection) {
        guard let uid = connection.peerUID, uid == geteuid() || uid == 0 else {
            Log.warning("server", "refused a connection of user \(connection.peerUID.map(String.init) ?? "unknown")")
            connection.close()
            return
        }
        guard sessions.count < Self.connectionLimit else {
            let refusal = RPCMessage.error(id: .null, .failed("\(Self.connectionLimit) consoles are attached already"))
            _ = connection.send(refusal.line.dropLast())
            connection.close()
            return
        }
        let session = ConsoleSession(connection, limits: limits) { [unowned self] in wholeState }
        let key = ObjectIdentifier(session)
        sessions[key] = session
        connection.onLine = { [weak self, weak session] line in
            if let self, let session { self.receive(line, from: session) }
        }
        connection.onClose = { [weak self] _ in self?.closed(key) }
        session.onDetached = { [weak self] in self?.closed(key) }
        connection.start()
    }

    private func closed(_ key: ObjectIdentifier) {
        guard let session = sessions.removeValue(forKey: key) else { return }
        metersChanged()
        onEnded?(session)
        if session.subscription?.isConsole == true {
            onConsolesChanged?(consoleCount, session.isLeaving)
        }
    }

    private func receive(_ line: [UInt8], from session: ConsoleSession) {
        guard line.count > Self.longLine else { return receive(Self.parse(line), from: session) }
        session.isParsing = true
        Self.parsing.async { [weak self, weak session] in
            let parsed = Self.parse(line)
            Task { @EngineActor in self?.finishParsing(parsed, from: session) }
        }
    }

    private nonisolated static func parse(_ line: [UInt8]) -> Result<RPCMessage, RPCError> {
        Result { () throws(RPCError) in try RPCMessage(line: line) }
    }

    private func finishParsing(_ parsed: Result<RPCMessage, RPCError>, from session: ConsoleSession?) {
        guard let session else { return }
        receive(parsed, from: session)
        session.isParsing = false
    }

    private func receive(_ parsed: Result<RPCMessage, RPCError>, from session: ConsoleSession) {
        switch parsed {
        case .success(.request(let id, let name, let params)):
            answer(id: id, name: name, params: params, from: session)
        case .success: break
        case .failure(let error): session.send(.error(id: .null, error))
        }
    }

    private func answer(id: JSONValue?, name: String, params: JSONValue?, from session: ConsoleSession) {
        do throws(RPCError) {
            guard let method = Method.named(name), let handler = handlers[name] else { throw .methodNotFound(name) }
            guard method.isFrozen || !session.isFrozenOnly else {
                throw .versionMismatch(
                    "\(name): this console speaks another protocol version; only "
                        + Method.all.filter(\.isFrozen).map(\.name).joined(separator: ", ") + " are offered")
            }
            // A newer console may send a frozen method more parameters than this version knows.
            let arguments = try Arguments(
                params, for: method, ignoresUnknown: session.isFrozenOnly || name == "core.hello")
            handler(arguments, session) { [weak self, weak session] result in
                self?.publisher.publish()
                guard let session, let id else { return }
                switch result {
                case .success(let value): session.send(.result(id: id, value))
                case .failure(let error): session.send(.error(id: id, error))
                }
            }
        } catch {
            if let id { session.send(.error(id: id, error)) }
        }
    }
}
