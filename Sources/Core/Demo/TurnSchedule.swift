import Primitives

/// Who of the simulated guests talks when: one after the other, with a pause between.
struct TurnSchedule: Sendable {
    /// When the first turn begins.
    let start: MonoTime
    let guestCount: Int
    let turn = Duration.milliseconds(1900)
    let pause = Duration.milliseconds(400)

    /// The guest that talks at `now`, and how long it has talked; `nil` in a pause.
    func speaker(at now: MonoTime) -> (guest: Int, since: Duration)? {
        guard now >= start, guestCount > 0 else { return nil }
        let elapsed = (now - start).nanoseconds
        let slot = (turn + pause).nanoseconds
        let position = Duration.nanoseconds(elapsed % slot)
        guard position < turn else { return nil }
        return (Int(elapsed / slot % Int64(guestCount)), position)
    }
}
