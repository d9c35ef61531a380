import ControlClient
import ControlProtocol
import Primitives

/// The console's way to the core: connects, exchanges versions, and tries again when it is lost. Never blocks.
struct CoreLink {
    enum Event {
        case attached(mismatch: String?)
        case lost(String)
        case message(RPCMessage)
    }

    private let launcher: CoreLauncher
    private let version: String
    private var connection: CoreConnection?
    private var helloID: Int?
    private var nextTry: MonoTime?
    private var lossReason: String?

    /// How often a lost core is looked for.
    private static let retryInterval = Duration.milliseconds(250)

    init(directories: Directories, version: String) {
        launcher = CoreLauncher(directories: directories)
        self.version = version
        nextTry = .zero
    }

    /// For `poll`; −1 while there is no connection.
    var descriptor: Int32 {
        connection?.descriptor ?? -1
    }

    var wantsToWrite: Bool {
        connection?.wantsToWrite ?? false
    }

    /// When the core is looked for again.
    var deadline: MonoTime? {
        connection == nil ? nextTry : nil
    }

    /// Connects if it is time, writes what waits, and reads what has come.
    mutating func process(at now: MonoTime) -> [Event] {
        var events: [Event] = []
        do throws(ClientError) {
            try connectIfDue(at: now)
            guard let connection else { return lossReason.take().map { [.lost($0)] } ?? [] }
            try connection.flush()
            for message in try connection.receive() { events.append(contentsOf: take(message)) }
        } catch {
            drop(error.description, at: now)
            events.append(.lost(error.description))
        }
        return events
    }

    /// Sends a request; `nil` when there is no core to send it to.
    mutating func send(_ request: ConsoleRequest, at now: MonoTime) -> Int? {
        guard let connection, helloID == nil else { return nil }
        do throws(ClientError) {
            return try connection.send(request.method, request.params)
        } catch {
            drop(error.description, at: now)
            lossReason = error.description
            return nil
        }
    }

    /// The descriptors that came with messages since the last call; they are the caller's to close.
    func takeDescriptors() -> [Int32] {
        connection?.takeDescriptors() ?? []
    }

    private mutating func connectIfDue(at now: MonoTime) throws(ClientError) {
        guard connection == nil, let due = nextTry, now >= due else { return }
        nextTry = now + Self.retryInterval
        guard let connection = try launcher.connect() else { return }
        helloID = try connection.send(
            "core.hello", ["protocol": .integer(ProtocolVersion.current), "version": .string(version)])
        self.connection = connection
    }

    private mutating func take(_ message: RPCMessage) -> [Event] {
        guard let helloID else { return [.message(message)] }
        switch message {
        case .result(.integer(helloID), let result):
            self.helloID = nil
            let greeting: CoreGreeting? = try? result.decoded()
            return [.attached(mismatch: greeting.flatMap { $0.isFrozenOnly ? $0.mismatchText : nil })]
        default: return []
        }
    }

    private mutating func drop(_ reason: String, at now: MonoTime) {
        connection = nil
        helloID = nil
        nextTry = now + Self.retryInterval
    }
}
