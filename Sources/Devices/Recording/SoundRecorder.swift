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

    /// Makes the file and begins to write. `onEnd` is called once, on another thread, when there is an outcome.
    package init(path: String, format: SoundFileFormat, onEnd: @escaping @Sendable () -> Void) throws(UserFacingError) {
        let (tap, progress) = (RecordingTap(), Progress())
        let writer = RecordingWriter(file: try SoundFile(path: path, format: format), frames: tap.frames)
        (self.tap, self.progress) = (tap, progress)
        thread = WorkerThread("recording") { thread in
            let outcome = Self.run(writer, on: thread, tap, progress)
            progress.outcome.withLock { $0 = outcome }
            onEnd()
        }
        do throws(UserFacingError) {
            try thread.start()
        } catch {
            unlink(path)
            throw error
        }
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
        _ writer: RecordingWriter, on thread: WorkerThread, _ tap: RecordingTap, _ progress: Progress
    ) -> Outcome {
        var outcome = Outcome()
        var isLast = false
        do throws(UserFacingError) {
            while true {
                isLast = isLast || progress.isFinishing.load(ordering: .acquiring)
                try writer.drain()
                if isLast { break }
                isLast = thread.wait(until: .now() + interval) == .stopped
            }
        } catch {
            outcome.error = error
        }
        outcome.duration = writer.duration
        outcome.lost = AudioFormat.frameDuration * tap.frames.refusedCount
        writer.close()
        return outcome
    }
}

/// What the thread and the others tell each other.
private final class Progress: Sendable {
    let isFinishing = Atomic<Bool>(false)
    let outcome = Mutex<SoundRecorder.Outcome?>(nil)
}
