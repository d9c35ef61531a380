import Glibc
import Primitives

@testable import Reactor

/// The first value reported by what `start` makes, which is kept alive until then.
@EngineActor func firstEvent<Value: Sendable, Kept>(
    _ start: @EngineActor (@escaping @EngineActor (Value) -> Void) -> Kept
) async -> Value {
    var kept: Kept?
    let value = await withCheckedContinuation { continuation in
        var pending: CheckedContinuation<Value, Never>? = continuation
        kept = start { value in
            pending?.resume(returning: value)
            pending = nil
        }
    }
    _ = consume kept
    return value
}

enum Thread {
    /// Runs `body` on a new thread outside Swift's pools.
    static func detached(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Body(body))
        pthread_create(&thread, nil, runBody, box.toOpaque())
        pthread_detach(thread)
    }
}

private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

private func runBody(_ data: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let data else { return nil }
    Unmanaged<Body>.fromOpaque(data).takeRetainedValue().run()
    return nil
}
