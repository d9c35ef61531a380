import Glibc
package import MediaEngine
package import Primitives
import Synchronization

/// Writes what a tap takes of a call to a file, on a thread of its own.
package final class SoundRecorder: Sendable {
    /// What became of a recording.
    package struct Outcome: Sendable {
        package var duration = Duration.zero
        /// What of it is silence because this thread, or the disk, was seconds late.
        package var lost = Duration.zero
        /// Why it ended by itself; `nil`: it was asked to.
        package var error: UserFacingError?
    }

    /// How often the thread looks for frames.
    private static let interval = Duration.milliseconds(100)

    package let tap: RecordingTap
    private let progress: Progress
    private let thread: WorkerThread

    /// Begins to make the file, and writes what the tap takes once it is there. `onChange` is called on another thread when
    /// there is a path, and when there is an outcome.
    package init(_ place: RecordingPlace, onChange: @escaping @Sendable () -> Void) throws(UserFacingError) {
        let (tap, progress) = (RecordingTap(), Progress())
        (self.tap, self.progress) = (tap, progress)
        thread = WorkerThread("recording") { thread in
            let outcome = Self.run(place, on: thread, tap, progress, onChange)
            progress.outcome.withLock { $0 = outcome }
            onChange()
        }
        try thread.start()
    }

    /// The file, once it has been made.
    package var path: String? {
        progress.path.withLock { $0 }
    }

    /// What became of it; `nil`: it goes on.
    package var outcome: Outcome? {
        progress.outcome.withLock { $0 }
    }

    /// Has all that was taken until now written and the file closed.
    package func finish() {
        progress.isFinishing.store(true, ordering: .releasing)
        thread.wake()
    }

    /// As `finish`, and waits for it.
    package func finishNow() {
        thread.stop()
    }

    private static func run(
        _ place: RecordingPlace, on thread: WorkerThread, _ tap: RecordingTap, _ progress: Progress,
        _ onOpen: () -> Void
    ) -> Outcome {
        var outcome = Outcome()
        do throws(UserFacingError) {
            let file = try SoundFile(place)
            let path = file.path
            if progress.isFinishing.load(ordering: .acquiring) {
                unlink(path)
                return outcome
            }
            progress.path.withLock { $0 = path }
            onOpen()
            let writer = RecordingWriter(file: file, frames: tap.frames)
            defer {
                outcome.duration = writer.duration
                outcome.lost = AudioFormat.frameDuration * tap.frames.refusedCount
                writer.close()
            }
            var isLast = false
            while true {
                isLast = isLast || progress.isFinishing.load(ordering: .acquiring)
                try writer.drain()
                if isLast { break }
                isLast = thread.wait(until: .now() + interval) == .stopped
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }
}

/// What the thread and the others tell each other.
private final class Progress: Sendable {
    let isFinishing = Atomic<Bool>(false)
    let path = Mutex<String?>(nil)
    let outcome = Mutex<SoundRecorder.Outcome?>(nil)
}
