import CPulse
import Glibc
import Primitives

/// What a connection tells its owner: on the main loop's thread, with its lock held.
protocol PulseConnectionOwner: AnyObject {
    /// The server accepted us.
    func connectionOpened(_ context: OpaquePointer)
    /// The server is gone or refused us, for `reason`. Everything made from the context is to be freed now.
    func connectionLost(_ reason: String)
}

/// A client connection to the sound server, with a thread of its own, that comes back by itself for ever.
///
/// The context and all that is made from it are touched with the main loop's lock held: callbacks hold it, other
/// threads take it with `locked`, and never wait for an operation meanwhile.
final class PulseConnection {
    private let mainloop: OpaquePointer
    private let clientName: String
    private let properties: [String: String]
    private var server: String?
    private var context: OpaquePointer?
    private var retry: OpaquePointer?
    private var failureCount = 0
    private weak var owner: (any PulseConnectionOwner)?
    /// What libpulse holds while callbacks can come.
    private var box: Unmanaged<PulseConnection>?

    /// `nil` when there is no memory for a main loop. `server`: a server string as PulseAudio knows it; `nil`: the
    /// user's own server.
    init?(clientName: String, threadName: String, properties: [String: String], server: String?) {
        guard let mainloop = pa_threaded_mainloop_new() else { return nil }
        pa_threaded_mainloop_set_name(mainloop, threadName)
        self.mainloop = mainloop
        self.clientName = clientName
        self.properties = properties
        self.server = server
    }

    deinit {
        pa_threaded_mainloop_free(mainloop)
    }

    /// The context while it is ready; only with the lock held.
    var readyContext: OpaquePointer? {
        guard let context, pa_context_get_state(context) == PA_CONTEXT_READY else { return nil }
        return context
    }

    /// Why the last operation failed, in the library's words; only with the lock held.
    var errorText: String {
        context.map { String(cString: pa_strerror(pa_context_errno($0))) } ?? "not connected"
    }

    /// Starts the thread and the first attempt; once it is open this does nothing.
    func open(owner: any PulseConnectionOwner) {
        guard box == nil else { return }
        self.owner = owner
        box = Unmanaged.passRetained(self)
        locked { connect() }
        pa_threaded_mainloop_start(mainloop)
    }

    /// Disconnects, ends the thread and waits for it. The owner has freed what it made from the context.
    func close() {
        guard let box else { return }
        locked { dropContext() }
        pa_threaded_mainloop_stop(mainloop)
        self.box = nil
        box.release()
    }

    func locked<Result>(_ body: () -> Result) -> Result {
        pa_threaded_mainloop_lock(mainloop)
        defer { pa_threaded_mainloop_unlock(mainloop) }
        return body()
    }

    /// Goes to another server; only with the lock held. The owner has freed what it made from the context.
    func reconnect(to server: String?) {
        self.server = server
        failureCount = 0
        if box != nil { connect() }
    }

    /// Has `callback` called once on the main loop's thread after `delay`; only with the lock held. Whether or not it
    /// was called, the event is freed by `cancel`.
    func schedule(
        after delay: Duration, _ callback: @escaping pa_time_event_cb_t, _ data: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        guard let context else { return nil }
        return pa_context_rttime_new(
            context, pa_rtclock_now() + UInt64(max(delay.nanoseconds, 0) / 1000), callback, data)
    }

    /// Frees an event of `schedule`; only with the lock held.
    func cancel(_ timer: OpaquePointer?) {
        guard let timer else { return }
        pa_threaded_mainloop_get_api(mainloop).pointee.time_free(timer)
    }

    fileprivate func connect() {
        dropContext()
        guard let box else { return }
        let list = pa_proplist_new()
        for (key, value) in properties { pa_proplist_sets(list, key, value) }
        context = pa_context_new_with_proplist(pa_threaded_mainloop_get_api(mainloop), clientName, list)
        pa_proplist_free(list)
        guard let context else { return }
        pa_context_set_state_callback(context, contextStateChanged, box.toOpaque())
        // A failure comes through the state callback too, at times before this call returns.
        if pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { retryLater() }
    }

    fileprivate func stateChanged(_ changed: OpaquePointer) {
        guard changed == context else { return }
        switch pa_context_get_state(changed) {
        case PA_CONTEXT_READY:
            failureCount = 0
            owner?.connectionOpened(changed)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
            owner?.connectionLost(errorText)
            retryLater()
        default:
            break
        }
    }

    private func retryLater() {
        guard retry == nil, let box else { return }
        failureCount += 1
        let delay: Int64 = failureCount == 1 ? 50 : failureCount <= 40 ? 250 : 1000
        retry = schedule(after: .milliseconds(delay), retryIsDue, box.toOpaque())
    }

    private func dropContext() {
        cancel(retry)
        retry = nil
        guard let context else { return }
        self.context = nil
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
    }
}

private func contextStateChanged(_ context: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let context, let data else { return }
    Unmanaged<PulseConnection>.fromOpaque(data).takeUnretainedValue().stateChanged(context)
}

private func retryIsDue(
    _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
    _ data: UnsafeMutableRawPointer?
) {
    guard let data else { return }
    Unmanaged<PulseConnection>.fromOpaque(data).takeUnretainedValue().connect()
}
