import Primitives
import Reactor

/// Lets the engine run for `duration`, by a timer of its own.
@EngineActor package func passTime(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
        var held: EngineTimer?
        let timer = EngineTimer {
            held = nil
            continuation.resume()
        }
        held = timer
        timer.arm(after: duration)
        _ = held
    }
}

/// Waits until `condition` holds, turning the loop meanwhile; `false` when `limit` has passed first.
@EngineActor package func eventually(
    within limit: Duration = .seconds(20), _ condition: @EngineActor () -> Bool
) async -> Bool {
    let end = MonoTime.now() + limit
    while !condition() {
        guard MonoTime.now() < end else { return false }
        await passTime(.milliseconds(1))
    }
    return true
}
