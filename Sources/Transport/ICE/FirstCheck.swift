import CGLib
import Glibc
import Reactor

/// Lets libnice send its first connectivity check at once.
///
/// The library starts a timer of the pacing interval Ta and does nothing until it fires, although Ta is the time between
/// two checks (RFC 8445 section 14.2) and there was none yet. The timer is an ordinary source of the engine's context, so
/// its first time can be brought forward; the interval after it stays as it is.
@EngineActor
enum FirstCheck {
    private static let timer = "Connectivity check schedule"

    /// Runs `body`, which may start the timer.
    static func atOnce<Result>(_ body: () -> Result) -> Result {
        let context = EngineActor.executor.context
        // The numbers of a context's sources go up by one.
        let before = g_idle_source_new()
        var number = g_source_attach(before, context) + 1
        g_source_destroy(before)
        g_source_unref(before)
        let result = body()
        while let source = g_main_context_find_source_by_id(context, number) {
            if let name = g_source_get_name(source), strcmp(name, timer) == 0 { g_source_set_ready_time(source, 0) }
            number += 1
        }
        return result
    }
}
