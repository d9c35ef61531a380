import MediaEngine
import Primitives
import Synchronization

/// The life of a camera on its thread: opened, read, lost, waited for, opened again.
struct CameraRun: Sendable {
    /// A camera that is open and gives nothing for so long is taken for gone.
    private static let stallLimit = Duration.seconds(5)
    /// So many times a camera may say that it has a picture and have none.
    private static let emptyLimit = 100

    let path: String
    let wanted: CaptureFormat
    let calls: any CameraCalls
    let retryInterval: Duration
    let client: any CaptureClient
    let dropped: DroppedCounter

    func run(on thread: WorkerThread, _ outcome: OpeningOutcome) {
        do {
            var stream = try CameraStream(path, wanted: wanted, calls: calls)
            outcome.set(.success(CaptureFormat(size: stream.format.size, frameRate: stream.format.frameRate)))
            while true {
                let reason = read(&stream, on: thread)
                stream.close()
                guard let reason else { return }
                client.captureInterrupted(reason: reason)
                guard let again = reopen(on: thread) else { return }
                stream = again
            }
        } catch {
            outcome.set(.failure(error))
        }
    }

    /// Hands on pictures until the camera fails, and returns why; `nil`: the thread is to end.
    private func read(_ stream: inout CameraStream, on thread: WorkerThread) -> String? {
        var emptyCount = 0
        var deadline = MonoTime.now() + Self.stallLimit
        while true {
            switch thread.wait(until: deadline, for: stream.camera) {
            case .stopped: return nil
            case .called: continue
            case .due: return "the camera \(path) gives no pictures; it is tried again"
            case .readable: break
            }
            let now = MonoTime.now()
            switch stream.next(at: now) {
            case .frame(let frame, let count):
                dropped.count.wrappingAdd(count, ordering: .relaxed)
                (emptyCount, deadline) = (0, now + Self.stallLimit)
                client.captured(frame)
            case .damaged(let count):
                dropped.count.wrappingAdd(count, ordering: .relaxed)
            case .nothing:
                emptyCount += 1
                if emptyCount > Self.emptyLimit { return "the camera \(path) fails; it is tried again" }
            case .failed(let code):
                return "\(CameraError.describe(code, "VIDIOC_DQBUF", camera: path)); it is waited for"
            }
        }
    }

    /// Waits until the camera can be opened again; `nil`: the thread is to end.
    private func reopen(on thread: WorkerThread) -> CameraStream? {
        while true {
            let deadline = MonoTime.now() + retryInterval
            while true {
                let wake = thread.wait(until: deadline)
                if wake == .stopped { return nil }
                if wake == .due { break }
            }
            if let stream = try? CameraStream(path, wanted: wanted, calls: calls) { return stream }
        }
    }
}
