import CLinux
import ControlClient
import Dispatch
import Glibc
package import Primitives
import Reactor

/// The core as a process: lock, log, signals, and the end.
package enum CoreProcess {
    /// Runs a core until it is stopped; the result is the exit status.
    package static func run(directories: Directories) -> Int32 {
        do {
            try directories.prepareState()
            guard let lock = try CoreLock(lockPath: directories.lockPath, socketPath: directories.socketPath) else {
                return complain("a core of yours is running already; hoot attaches to it, hoot core stop ends it")
            }
            Log.open(path: directories.logPath)
            signal(SIGPIPE, SIG_IGN)
            clinux_return_freed_memory()
            let status = serve(directories)
            _ = consume lock
            return status
        } catch {
            return complain("\(error)")
        }
    }

    /// So long a core that was told to stop waits for what does not answer: a disk that is away, a device.
    private static let patience = 3.0

    private static func serve(_ directories: Directories) -> Int32 {
        let (ending, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = Outcome()
        Task { @EngineActor in
            do {
                let core = try Core(directories: directories) { settings in PulseSoundSystem(settings: settings) }
                Log.open(path: directories.logPath, byteLimit: core.settings.integer("log.kilobytes") * 1024)
                Log.setShowsDebug(core.settings.bool("log.debug"))
                core.onStopping = { ending.signal() }
                core.onStopped = { done.signal() }
                let stopper = { @EngineActor in core.stop() }
                // SIGHUP is what a closing terminal sends: the call outlives it.
                outcome.signals = [
                    SignalSource(SIGTERM, handler: stopper), SignalSource(SIGINT, handler: stopper),
                    SignalSource(SIGHUP) {},
                ]
                try core.start()
                Log.info("core", "version \(CoreVersion.current) serves \(directories.socketPath)")
                outcome.core = core
            } catch {
                outcome.status = complain("\(error)")
                ending.signal()
                done.signal()
            }
        }
        ending.wait()
        // The log may lie on the disk that does not answer.
        if done.wait(timeout: .now() + patience) == .timedOut { _exit(0) }
        if outcome.status == 0 { Log.info("core", "stopped") }
        return outcome.status
    }

    private static func complain(_ text: String) -> Int32 {
        let line = Array("hoot: core: \(text)\n".utf8)
        write(2, line, line.count)
        return 1
    }
}

/// What the engine leaves for the main thread.
private final class Outcome: @unchecked Sendable {
    // unchecked: written on the engine before the semaphore is signalled, read after it was waited for.
    var status: Int32 = 0
    var core: Core?
    var signals: [SignalSource] = []
}
