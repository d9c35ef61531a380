import Dispatch
package import MediaEngine
import Primitives
import Synchronization

/// A camera by its stable name. Unplugged, it is waited for; plugged in again, it goes on.
package final class CameraSource: CaptureSource {
    private let path: String
    private let calls: any CameraCalls
    private let retryInterval: Duration
    private let dropped = DroppedCounter()
    private var thread: WorkerThread?

    /// `path`: as `Camera.path` has it. `retryInterval`: how often an unplugged camera is looked for.
    package init(
        path: String, calls: any CameraCalls = SystemCameraCalls(), retryInterval: Duration = .seconds(1)
    ) {
        self.path = path
        self.calls = calls
        self.retryInterval = retryInterval
    }

    deinit {
        thread?.stop()
    }

    package var content: VideoEncoderSettings.ContentHint { .motion }
    package var exclusiveResource: String? { path }
    package var droppedCount: Int { dropped.count.load(ordering: .relaxed) }

    package func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat {
        stop()
        dropped.count.store(0, ordering: .relaxed)
        let run = CameraRun(
            path: path, wanted: wanted.possible, calls: calls, retryInterval: retryInterval, client: client,
            dropped: dropped)
        let outcome = OpeningOutcome()
        let thread = WorkerThread("hoot-camera") { run.run(on: $0, outcome) }
        try thread.start()
        do {
            let format = try outcome.wait()
            self.thread = thread
            return format
        } catch {
            thread.stop()
            throw error
        }
    }

    package func stop() {
        thread?.stop()
        thread = nil
    }
}

final class DroppedCounter: Sendable {
    let count = Atomic<Int>(0)
}

/// What came of opening a camera on its thread, for the thread that waits for it.
final class OpeningOutcome: Sendable {
    private let result = Mutex<Result<CaptureFormat, any Error>>(.failure(CancellationError()))
    private let isKnown = DispatchSemaphore(value: 0)

    func set(_ result: Result<CaptureFormat, any Error>) {
        self.result.withLock { $0 = result }
        isKnown.signal()
    }

    func wait() throws -> CaptureFormat {
        isKnown.wait()
        return try result.withLock { $0 }.get()
    }
}
