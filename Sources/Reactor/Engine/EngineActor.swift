import CGLib

/// The engine thread: sockets, ICE, DTLS, SRTP, RTP sessions, dialogs and call state live on it.
///
/// Nothing isolated to it may block or work longer than 2 ms, since every call waits meanwhile.
@globalActor
package actor EngineActor {
    package static let shared = EngineActor()

    /// The executor with the GLib context; its thread starts at the first use.
    package static let executor: EngineExecutor = {
        let executor = EngineExecutor(name: "engine")
        executor.start()
        return executor
    }()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        Self.executor.asUnownedSerialExecutor()
    }

    /// Runs `body` at once, isolated to the engine. Traps when the caller is not on the engine thread: it is for
    /// callbacks that a C library makes from the GLib loop.
    package nonisolated static func assumeIsolated<Result: Sendable>(
        _ body: @EngineActor () throws -> Result, file: StaticString = #fileID, line: UInt = #line
    ) rethrows -> Result {
        try assumeIsolated(with: (), { _ in try body() }, file: file, line: line)
    }

    /// As `assumeIsolated(_:)`, handing `argument` (typically C pointers, which are not `Sendable`) to `body`. Nothing
    /// is sent anywhere: caller and `body` are on the same thread, which is checked.
    package nonisolated static func assumeIsolated<Argument, Result: Sendable>(
        with argument: Argument,
        _ body: @EngineActor (Argument) throws -> Result,
        file: StaticString = #fileID,
        line: UInt = #line
    ) rethrows -> Result {
        precondition(executor.isCurrentThread, "not on the engine thread", file: file, line: line)
        return try withoutActuallyEscaping(body) { escaping in
            // The isolation is a static fact that the check above has established; the representation is the same.
            try unsafeBitCast(escaping, to: ((Argument) throws -> Result).self)(argument)
        }
    }
}
