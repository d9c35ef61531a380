import CGLib

/// Handles a process signal on the engine. GLib knows SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 and SIGWINCH.
///
/// While it lives the signal has no other effect; afterwards the signal has its default effect again.
@EngineActor
package final class SignalSource {
    private let source: EngineSource

    package init(_ signal: Int32, handler: @escaping @EngineActor () -> Void) {
        source = EngineSource(adopting: g_unix_signal_source_new(signal), handler)
    }
}
