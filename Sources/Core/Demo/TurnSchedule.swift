import Primitives

/// Who of the simulated guests talks when: one after the other, with a pause between.
struct TurnSchedule: Sendable {
    /// When the first turn begins.
    let start: MonoTime
    let guestCount: Int
    /// One guest alone takes turns with silence.
    private var slotCount: Int { max(guestCount, 2) }
    let turn = Duration.milliseconds(1900)
    let pause = Duration.milliseconds(400)

    /// How long it takes until everybody has had a turn.
    var round: Duration {
        (turn + pause) * slotCount
    }

    /// Whose turn it is at `now`, and for how long it has been; `nil` in a pause. Of one guest alone every second turn is
    /// nobody's.
    func speaker(at now: MonoTime) -> (guest: Int, since: Duration)? {
        guard now >= start, guestCount > 0 else { return nil }
        let elapsed = (now - start).nanoseconds
        let slot = (turn + pause).nanoseconds
        let position = Duration.nanoseconds(elapsed % slot)
        guard position < turn else { return nil }
        return (Int(elapsed / slot % Int64(slotCount)), position)
    }
}
