import ControlProtocol
import Dispatch
import Glibc
package import Primitives
import Reactor

/// `hoot demo`: the demonstration in this process, from the main thread's side.
package final class Demo: @unchecked Sendable {
    // unchecked: `room` and `failure` are written on the engine before the semaphore is signalled, and read on the
    // main thread after it was waited for.
    package struct Options: Sendable {
        package var guestCount = 3
        /// Whether the guests use wrong SRTP keys, so that nothing can be heard of them.
        package var breaksKeys = false

        package init() {}
    }

    /// What was measured.
    package struct Report: Sendable {
        /// The final state, the figures and the checks.
        package var json = "{}"
        /// The checks that failed, in words.
        package var failures: [String] = []

        package var isPassed: Bool { failures.isEmpty }
    }

    /// The least time after which a report can tell anything.
    package static func leastTime(guestCount: Int) -> Duration {
        DemoRoom.leastTime(guestCount: guestCount)
    }

    /// The demonstration's own directories; they are removed by `stop`. What is recorded goes where it always does.
    package let directories: Directories
    private let folder: DemoFolder
    private var room: DemoRoom?
    private var failure: UserFacingError?

    /// Opens the room and waits until it is there.
    package init(_ options: Options) throws {
        folder = try DemoFolder()
        let base = folder.path
        var directories = Directories(
            environment: [
                "HOOT_RUNTIME_DIR": base + "/run", "HOOT_STATE_DIR": base + "/state", "HOOT_CONFIG_DIR": base + "/conf",
            ], userID: getuid())
        directories.recordingsPath = Directories.current().recordingsPath
        self.directories = directories
        try directories.prepareState()
        Log.open(path: directories.logPath)
        let ready = DispatchSemaphore(value: 0)
        Task { @EngineActor in self.open(options, ready) }
        ready.wait()
        if let failure { throw failure }
    }

    /// Lets the demonstration run for `duration`, then gives its report.
    package func report(after duration: Duration) -> Report {
        let done = DispatchSemaphore(value: 0)
        _ = done.wait(timeout: .now() + duration.seconds)
        let box = ReportBox()
        Task { @EngineActor in
            if let report = self.room?.report() { box.report = report }
            done.signal()
        }
        done.wait()
        return box.report
    }

    /// Ends the room and removes the directories.
    package func stop() {
        let done = DispatchSemaphore(value: 0)
        Task { @EngineActor in
            guard let room = self.room else {
                done.signal()
                return
            }
            room.core.onStopped = { done.signal() }
            room.stop()
        }
        _ = done.wait(timeout: .now() + 2)
        folder.remove()
    }

    @EngineActor
    private func open(_ options: Options, _ ready: DispatchSemaphore) {
        do {
            let room = try DemoRoom(
                directories: directories, guestCount: options.guestCount, breaksKeys: options.breaksKeys)
            self.room = room
            try room.start { [weak self] error in
                self?.failure = error.map { UserFacingError("the demonstration did not start", why: $0.message) }
                ready.signal()
            }
        } catch {
            failure = UserFacingError("the demonstration did not start", why: "\(error)")
            ready.signal()
        }
    }
}

/// A report on its way to the main thread.
private final class ReportBox: @unchecked Sendable {
    // unchecked: written on the engine before the semaphore is signalled, read after it was waited for.
    var report = Demo.Report(failures: ["there is no room"])
}
