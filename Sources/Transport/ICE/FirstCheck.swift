import CGLib
import Glibc
import Primitives
import Reactor

/// Lets libnice send its first connectivity check at once, and the one that the peer's first triggers.
///
/// The library starts a timer of the pacing interval Ta and does nothing until it fires, although Ta is the time between
/// two checks (RFC 8445 section 14.2) and there was none yet. Whoever answers has sent one by then, but the peer could
/// not check it, having no answer: so the triggered check (section 7.3.1.4), which connects, need not wait either. The
/// timer is an ordinary source of the engine's context, so that its time can be brought forward, once for each of the two;
/// the interval after it stays as it is.
@EngineActor
final class FirstCheck {
    private static var hasToldOfNoTimer = false

    private let timerName: String
    private let context = EngineActor.executor.context
    /// The numbers of a context's sources go up by one; those below this one have been looked at.
    private var next: guint = 0
    private var timer: guint?

    /// `timerName`: what the library calls its timer.
    init(timerName: String = "Connectivity check schedule") {
        self.timerName = timerName
        next = nextNumber()
    }

    /// Something was done that may have started the timer.
    func sendAtOnce() {
        if findTimer() { bringForward() }
    }

    /// The peer's first check has come, and has triggered one.
    func answerAtOnce() {
        _ = findTimer()
        bringForward()
    }

    /// A pair works. By then there has been a timer, unless the library calls it something else.
    func hasConnected() {
        guard timer == nil, !findTimer(), !Self.hasToldOfNoTimer else { return }
        Self.hasToldOfNoTimer = true
        Log.debug("ice", "libnice has no timer “\(timerName)”: first checks wait for an interval that need not be")
    }

    /// Returns whether it was started since the last call.
    private func findTimer() -> Bool {
        let end = nextNumber()
        let new = (min(next, end)..<end).last { number in
            g_main_context_find_source_by_id(context, number).flatMap(g_source_get_name)
                .map { strcmp($0, timerName) == 0 } ?? false
        }
        next = end
        if let new { timer = new }
        return new != nil
    }

    private func bringForward() {
        guard let timer, let source = g_main_context_find_source_by_id(context, timer) else { return }
        g_source_set_ready_time(source, 0)
    }

    private func nextNumber() -> guint {
        let source = g_idle_source_new()
        defer { g_source_unref(source) }
        let number = g_source_attach(source, context)
        g_source_destroy(source)
        return number
    }
}
