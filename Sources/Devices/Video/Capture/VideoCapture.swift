package import MediaEngine
import Primitives
import Synchronization

/// Who takes the pictures that are captured: an encoder, a preview. Called on the capture's thread; what takes long
/// belongs on a thread of its own.
package protocol VideoSink: AnyObject, Sendable {
    /// Takes one picture, in the size asked for or a smaller one.
    func take(_ frame: VideoFrame, content: VideoEncoderSettings.ContentHint)
}

/// What is captured here: it owns the present source, and hands its pictures to clients on a thread of its own.
///
/// The source may be replaced at any time; clients see other pictures and nothing else (Q18–Q21). It runs while it is kept
/// or somebody takes its pictures, it is open, and the capture is not suspended. Any thread may call; nothing here waits,
/// except `close`.
package final class VideoCapture: Sendable {
    /// What happened, told on the capture's thread.
    package enum Event: Hashable, Sendable {
        /// The source gives pictures: what was asked for, and what it gives.
        case started(wanted: CaptureFormat, given: CaptureFormat)
        /// A source could not be made or started. `keepsPrevious`: the one before goes on (Q51).
        case startFailed(reason: String, keepsPrevious: Bool)
        /// The source gives nothing for now.
        case interrupted(reason: String)
        /// It gives pictures again.
        case resumed
        /// The source was stopped, since nobody wants its pictures now.
        case stopped
        /// The source has ended; there is none now.
        case ended(reason: String)
    }

    /// How the capture is doing.
    package struct Status: Hashable, Sendable {
        /// Whether a source gives pictures.
        package var isRunning = false
        /// What was asked of the source, and what it gives; `nil`: it does not run.
        package var wanted: CaptureFormat?
        package var given: CaptureFormat?
        /// Pictures that the sources gave, and those that were lost on the way here (Q59), since `init`.
        package var capturedCount = 0
        package var droppedCount = 0
        /// Pictures handed to clients that send to peers, black ones apart, since `init`.
        package var deliveredCount = 0
        package var blackCount = 0
    }

    let shared: CaptureState
    private let thread: WorkerThread

    /// `events` is called on the capture's thread.
    package init(events: @escaping @Sendable (Event) -> Void) {
        let shared = CaptureState()
        self.shared = shared
        thread = WorkerThread("hoot-capture") { thread in
            CaptureWorker(shared, thread, events: events).run()
        }
    }

    deinit {
        thread.stop()
    }

    /// Starts the thread. Nothing is captured yet.
    package func open() throws {
        try thread.start()
    }

    /// Stops the source and ends the thread; no client is called afterwards. Not to be called from a client.
    package func close() {
        thread.stop()
    }

    package var status: Status {
        shared.status.withLock { $0 }
    }

    /// What sounds with the pictures of the source that runs; `nil`: nothing.
    package var sound: SoundFeed? {
        shared.sound.withLock { $0 }
    }

    /// Replaces the source by what `make` gives, on the capture's thread; `nil`: by none. When it cannot be made or
    /// started, the one before stays, and the event says why. `outcome` hears it too, on the capture's thread: why it
    /// failed; `nil`: it runs, or will when it is wanted.
    package func setSource(
        wanted: CaptureFormat = .standard, outcome: (@Sendable (String?) -> Void)? = nil,
        _ make: (@Sendable () throws -> any CaptureSource)?
    ) {
        perform { worker in
            let failure = worker.setSource(wanted: wanted, make)
            outcome?(failure)
        }
    }

    /// Whether the source runs although nobody takes its pictures: what is shared in a terminal goes on, and a muted camera
    /// is quick to come back (A32).
    package func setKept(_ isKept: Bool) {
        perform { $0.setKept(isKept) }
    }

    /// Types `bytes` into the source, where it is a terminal that runs.
    package func type(_ bytes: [UInt8]) {
        perform { $0.type(bytes) }
    }

    /// Opens or closes the source: closed, the camera is released (A31).
    package func setOpen(_ isOpen: Bool) {
        perform { $0.setOpen(isOpen) }
    }

    /// Whether pictures go to peers (A32): disabled, the camera stays open, and not one picture more is begun to be
    /// handed over once this has returned.
    package func setEnabled(_ isEnabled: Bool) {
        shared.isEnabled.store(isEnabled, ordering: .sequentiallyConsistent)
        perform { $0.setEnabled(isEnabled) }
    }

    /// Pauses while nobody is there (Q62): the source is stopped, and started again afterwards.
    package func setSuspended(_ isSuspended: Bool) {
        perform { $0.setSuspended(isSuspended) }
    }

    /// Hands pictures of at most `format` (Q48) to `client` from now on, the last one at once; or changes what it gets.
    package func add(_ client: any VideoSink, audience: CaptureRouter.Audience, format: CaptureFormat = .standard) {
        perform { $0.add(client, audience: audience, format: format) }
    }

    /// Hands no more pictures to `client`; one may be on its way.
    package func remove(_ client: any VideoSink) {
        let id = ObjectIdentifier(client)
        perform { $0.remove(id) }
    }

    /// Hands the last picture to `client` again, with the present time: what an encoder needs for a key frame while
    /// nothing changes on a shared screen.
    package func repeatPicture(for client: any VideoSink) {
        let id = ObjectIdentifier(client)
        perform { $0.repeatPicture(for: id) }
    }

    private func perform(_ command: @escaping @Sendable (CaptureWorker) -> Void) {
        shared.commands.withLock { $0.append(command) }
        thread.wake()
    }
}

/// What the capture's thread shares with its callers.
final class CaptureState: Sendable {
    let isEnabled = Atomic<Bool>(true)
    let commands = Mutex<[@Sendable (CaptureWorker) -> Void]>([])
    let status = Mutex(VideoCapture.Status())
    let sound = Mutex<SoundFeed?>(nil)
}
