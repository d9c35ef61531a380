import ControlClient
import ControlProtocol
import Glibc
import MediaEngine
import Primitives
import Reactor
import TestSupport

@testable import Core

/// A core in the test's own process, with simulated devices and, if wished, guests in a call of real connections.
final class RunningCore: Sendable {
    let directories: Directories
    let core: Core
    private let room: DemoRoom?

    /// - Parameter settings: the text of `hoot.conf`.
    init(guests: Int, settings: String = "") async throws {
        let base = try TemporaryDirectory("hoot-server")
        let directories = Directories(
            environment: [
                "HOOT_RUNTIME_DIR": base.path + "/run", "HOOT_STATE_DIR": base.path + "/state",
                "HOOT_CONFIG_DIR": base.path + "/conf",
            ], userID: getuid())
        self.directories = directories
        try directories.prepareConfiguration()
        let file = fopen(directories.settingsPath, "w")
        fputs(settings, file)
        fclose(file)
        (core, room) = try await Self.make(directories, guests)
        if let room { try await Self.open(room) }
        // The core makes its runtime directory anew when it vanishes, so the directories stay until it has stopped.
        await onEngine { [core] in
            core.onStopped = { [weak core, base] in withExtendedLifetime(base) { core?.onStopped = nil } }
        }
    }

    deinit {
        Task { @EngineActor [room, core] in Self.stop(room, core) }
    }

    @EngineActor
    private static func make(_ directories: Directories, _ guests: Int) throws -> (Core, DemoRoom?) {
        if guests > 0 {
            let room = try DemoRoom(directories: directories, guestCount: guests, breaksKeys: false)
            return (room.core, room)
        }
        let core = try Core(directories: directories) { _ in NullSoundSystem() }
        core.calls.staysOnLoopback = true
        try core.start()
        return (core, nil)
    }

    @EngineActor
    private static func open(_ room: DemoRoom) async throws {
        let failure: RPCError? = try await withCheckedThrowingContinuation { continuation in
            do {
                try room.start { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        if let failure { throw failure }
    }

    func stop() async {
        await onEngine { [room, core] in Self.stop(room, core) }
    }

    @EngineActor
    private static func stop(_ room: DemoRoom?, _ core: Core) {
        if let room { room.stop() } else { core.stop() }
    }

    /// A connection that has not said anything yet.
    func connect() throws -> CoreConnection {
        guard let connection = try CoreLauncher(directories: directories).connect() else { throw ClientError.noCore }
        return connection
    }

    /// A connection that a person sits at, once the core counts it.
    func attachConsole(levels: Bool = false) throws -> CoreConnection {
        let connection = try connect()
        _ = try connection.greet(version: "test")
        _ = try connection.call(
            "core.subscribe", ["console": .bool(true), "levels": .bool(levels), "statistics": .bool(false)])
        return connection
    }

    /// Whether the state comes to fulfil `condition` within `limit`, seen over a connection of its own.
    func reaches(within limit: Duration = .seconds(20), _ condition: @escaping (CoreState) -> Bool) throws -> Bool {
        let watcher = try connect()
        let off = JSONValue.bool(false)
        let id = JSONValue.integer(try watcher.send("core.subscribe", ["levels": off, "statistics": off]))
        var mirror = StateMirror()
        let seen: Bool? = try watcher.first(within: limit) { message in
            if case .error(id, let error) = message { throw error }
            guard case .request(nil, let name, let params) = message,
                let update = try Update(method: name, params: params)
            else { return nil }
            return try mirror.apply(update) && condition(mirror.state) ? true : nil
        }
        return seen ?? false
    }

    /// Samples of everybody's sound that had to be made up since the streams began, and all samples.
    func concealment() async -> (concealed: UInt64, total: UInt64) {
        await onEngine { [core] in
            let streams = core.audio.streams.values.compactMap { core.audio.playout(of: $0) }
            return (
                streams.reduce(0) { $0 + $1.concealedSamples }, streams.reduce(0) { $0 + $1.totalSamplesReceived }
            )
        }
    }
}

/// Runs `body` where the core lives.
@EngineActor func onEngine<Value: Sendable>(_ body: @EngineActor () throws -> Value) async rethrows -> Value {
    try body()
}
