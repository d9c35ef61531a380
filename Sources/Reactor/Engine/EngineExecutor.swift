import CGLib
import Glibc
import Primitives
import Synchronization

/// A GLib main context on a thread of its own, as a Swift executor.
///
/// Jobs wake the loop through one custom source; a dispatch runs the jobs that were queued when it began, so GLib's own
/// sources are never starved by jobs that queue further jobs.
package final class EngineExecutor: SerialExecutor, @unchecked Sendable {
    // unchecked: the pointers are set once in `init`; GLib's functions used on them from foreign threads
    // (`g_source_set_ready_time`, `g_main_context_is_owner`) are thread-safe, and the queue has its mutex.
    private let loopContext: OpaquePointer
    private let loop: OpaquePointer
    private let wakeup: UnsafeMutablePointer<GSource>
    private let queue = Mutex<[UnownedJob]>([])
    private let threadName: String

    /// Makes the context; `start()` makes its thread.
    init(name: String) {
        threadName = name
        loopContext = g_main_context_new()
        loop = g_main_loop_new(loopContext, 0)
        wakeup = g_source_new(sourceFunctions, guint(MemoryLayout<GSource>.size))
        g_source_set_callback(wakeup, runQueuedJobs, Unmanaged.passUnretained(self).toOpaque(), nil)
        g_source_attach(wakeup, loopContext)
    }

    /// The `GMainContext`, for libraries that must be told where to attach. It is also the default of the engine thread.
    package var context: OpaquePointer {
        loopContext
    }

    /// Starts the thread, which runs until the process ends and keeps the executor alive.
    func start() {
        g_thread_unref(g_thread_new(threadName, runLoop, Unmanaged.passRetained(self).toOpaque()))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wasEmpty = queue.withLock { queue in
            queue.append(job)
            return queue.count == 1
        }
        if wasEmpty {
            g_source_set_ready_time(wakeup, 0)
        }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        precondition(isCurrentThread, "not on the \(threadName) thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isCurrentThread
    }

    /// Whether the caller runs on this executor's thread.
    package var isCurrentThread: Bool {
        g_main_context_is_owner(loopContext) != 0
    }

    fileprivate func runJobs() {
        let jobs = queue.withLock { queue in
            let taken = queue
            queue = []
            return taken
        }
        let executor = asUnownedSerialExecutor()
        for job in jobs {
            job.runSynchronously(on: executor)
        }
    }

    fileprivate func run() {
        g_main_context_push_thread_default(loopContext)
        g_main_loop_run(loop)
        g_main_context_pop_thread_default(loopContext)
    }
}

private func runQueuedJobs(_ data: gpointer?) -> gboolean {
    guard let data else { return 0 }
    Unmanaged<EngineExecutor>.fromOpaque(data).takeUnretainedValue().runJobs()
    return 1
}

private func runLoop(_ data: gpointer?) -> gpointer? {
    guard let data else { return nil }
    Unmanaged<EngineExecutor>.fromOpaque(data).takeRetainedValue().run()
    return nil
}
