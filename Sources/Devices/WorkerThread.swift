import CLinux
import Glibc
import Primitives
import Synchronization

/// The thread of a picture source, of a capture or of a recording: it waits for a time, a descriptor or a word from
/// outside, and ends when it is told to.
final class WorkerThread: Sendable {
    /// Why a wait is over.
    enum Wake: Hashable {
        case stopped
        case due
        /// The descriptor has something to read, or has failed.
        case readable
        /// Somebody called `wake`.
        case called
    }

    private let name: String
    private let bell: Int32
    private let isStopping = Atomic<Bool>(false)
    private let handle = Mutex<pthread_t?>(nil)
    private let body: @Sendable (WorkerThread) -> Void

    /// `name`: at most 15 bytes, as tools show it. `body` returns soon after a wait has said `stopped`.
    init(_ name: String, body: @escaping @Sendable (WorkerThread) -> Void) {
        self.name = name
        self.body = body
        bell = clinux_eventfd()
    }

    deinit {
        if bell >= 0 { close(bell) }
    }

    /// Runs the body; the thread keeps this object alive until it ends.
    func start() throws(UserFacingError) {
        guard bell >= 0 else { throw failure("eventfd", EMFILE) }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, nil, runWorkerThread, box.toOpaque())
        guard status == 0 else {
            box.release()
            throw failure("pthread_create", status)
        }
        handle.withLock { $0 = thread }
    }

    /// Has the body end, and waits until it has. Not to be called on the thread itself.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        wake()
        let thread = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        if let thread { pthread_join(thread, nil) }
    }

    /// Ends the present wait, or the next one. Any thread.
    func wake() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    /// Waits, on the thread itself, until one of the reasons holds; `nil`: no time is set. A time that is past is due
    /// only when nothing else is.
    func wait(until deadline: MonoTime? = nil, for descriptor: Int32 = -1) -> Wake {
        while !isStopping.load(ordering: .acquiring) {
            var pollers = [
                pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&pollers, 2, Self.milliseconds(until: deadline))
            if pollers[0].revents != 0 {
                var rings: UInt64 = 0
                _ = read(bell, &rings, 8)
                return isStopping.load(ordering: .acquiring) ? .stopped : .called
            }
            if count > 0, pollers[1].revents != 0 { return .readable }
            if let deadline, MonoTime.now() >= deadline { return .due }
        }
        return .stopped
    }

    private static func milliseconds(until deadline: MonoTime?) -> Int32 {
        guard let deadline else { return -1 }
        return Int32((deadline - .now()).milliseconds.rounded(.up).clamped(to: 0...60_000))
    }

    private func failure(_ function: String, _ code: Int32) -> UserFacingError {
        UserFacingError("cannot start the thread \(name)", why: "\(function): \(String(cString: strerror(code)))")
    }

    fileprivate func run() {
        clinux_set_thread_name(name)
        body(self)
    }
}

private func runWorkerThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    Unmanaged<WorkerThread>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
