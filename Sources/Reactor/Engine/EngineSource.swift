import CGLib

/// The functions of every source made here: dispatch clears the ready time and calls the callback. A source without
/// `check` is ready when its ready time has come or one of its descriptors has an event.
// unchecked: written once before the first use and only read by GLib afterwards.
nonisolated(unsafe) let sourceFunctions: UnsafeMutablePointer<GSourceFuncs> = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.dispatch = dispatchSource
    return functions
}()

private func dispatchSource(
    _ source: UnsafeMutablePointer<GSource>?, _ callback: GSourceFunc?, _ data: gpointer?
) -> gboolean {
    g_source_set_ready_time(source, -1)
    return callback?(data) ?? 0
}

/// Owner of one `GSource` on the engine's context: destroys it when it dies itself.
///
/// GLib keeps the handler, not the owner, so a dispatch in flight never meets a freed object.
@EngineActor
final class EngineSource {
    private let source: UnsafeMutablePointer<GSource>

    /// A source of our own, without a deadline or a descriptor yet.
    convenience init(_ handler: @escaping @EngineActor () -> Void) {
        self.init(adopting: g_source_new(sourceFunctions, guint(MemoryLayout<GSource>.size)), handler)
    }

    /// Takes ownership of `source`, which calls a plain `GSourceFunc`, and attaches it.
    init(adopting source: UnsafeMutablePointer<GSource>, _ handler: @escaping @EngineActor () -> Void) {
        self.source = source
        let box = Unmanaged.passRetained(SourceHandler(handler))
        g_source_set_callback(source, callSourceHandler, box.toOpaque(), releaseSourceHandler)
        g_source_attach(source, EngineActor.executor.context)
    }

    /// Microseconds of the monotonic clock; 0: at once; -1: never.
    func setReadyTime(_ microseconds: Int) {
        g_source_set_ready_time(source, microseconds)
    }

    func add(_ descriptor: Int32, _ condition: GIOCondition) -> gpointer? {
        g_source_add_unix_fd(source, descriptor, condition)
    }

    func modify(_ tag: gpointer, _ condition: GIOCondition) {
        g_source_modify_unix_fd(source, tag, condition)
    }

    func events(of tag: gpointer) -> GIOCondition {
        g_source_query_unix_fd(source, tag)
    }

    isolated deinit {
        g_source_destroy(source)
        g_source_unref(source)
    }
}

private final class SourceHandler {
    let run: @EngineActor () -> Void

    init(_ run: @escaping @EngineActor () -> Void) {
        self.run = run
    }
}

private func callSourceHandler(_ data: gpointer?) -> gboolean {
    guard let data else { return 0 }
    let handler = Unmanaged<SourceHandler>.fromOpaque(data).takeUnretainedValue()
    EngineActor.assumeIsolated(with: handler) { $0.run() }
    return 1
}

private func releaseSourceHandler(_ data: gpointer?) {
    guard let data else { return }
    Unmanaged<SourceHandler>.fromOpaque(data).release()
}
