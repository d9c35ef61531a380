package import Primitives

/// Who has the floor: Volfin and Cohen's comparison of speech activity on three time scales (Computer Speech & Language
/// 27, 2013), on levels instead of spectra, with the constants that Jitsi and mediasoup use (N 13, 5, 10; C 3, 2, 0).
///
/// It differs from those in four points. An immediate step is 3.5 dB instead of 10, with a λ to match. Time scales slide
/// instead of being cut at fixed moments, and the decision falls every 20 ms instead of every 300: turns are noticed
/// sooner. A candidate needs three active tenths of a second within the last second, so that a cough never takes the
/// floor. The noise that speech must rise above is each participant's own.
///
/// Participants are numbered slots. Memory is taken in `init`; nothing else allocates.
package struct DominantSpeaker: Sendable {
    /// The time of one immediate unit, after which the floor can change.
    package static let unit = Duration.milliseconds(20)
    /// A participant whose level is this old is silent.
    package static let idleTimeout = Duration.milliseconds(40)
    /// Missed time beyond this is skipped.
    private static let longestCatchUp = Duration.seconds(1)
    /// Active tenths of a second that a candidate must have behind it.
    private static let leastLong = 3
    private static let thresholds = (immediate: 3.0, medium: 2.0, long: 0.0)

    private struct Slot: Sendable, BitwiseCopyable {
        var isPresent = false
        /// Whether a level came since the last unit ended.
        var isFresh = false
        var level = AudioLevel.silence
        var heard = MonoTime.zero
        var activity = SpeechActivity()
    }

    private var slots: [Slot]
    private let immediateScore = ActivityScore(
        unitCount: SpeechActivity.immediateCount, probability: 0.5, rate: 1.2)
    private let mediumScore = ActivityScore(unitCount: SpeechActivity.mediumCount, probability: 0.5, rate: 24)
    private let longScore = ActivityScore(unitCount: SpeechActivity.longCount, probability: 0.5, rate: 47)
    private var nextUnit: MonoTime?

    /// The slot that has the floor; it keeps it in silence. `nil`: nobody has spoken yet, or the one who did has left.
    package private(set) var dominant: Int?

    /// - Parameter capacity: how many slots there are; they are numbered from 0.
    package init(capacity: Int) {
        slots = .init(repeating: Slot(), count: max(capacity, 0))
    }

    /// Begins to consider a participant, who has no past.
    package mutating func add(_ slot: Int) {
        guard slots.indices.contains(slot) else { return }
        slots[slot] = Slot(isPresent: true)
    }

    /// Forgets a participant.
    package mutating func remove(_ slot: Int) {
        guard slots.indices.contains(slot) else { return }
        slots[slot] = Slot()
        if dominant == slot { dominant = nil }
    }

    /// Takes the level of a frame or packet. The loudest counts until the unit of 20 ms is over.
    package mutating func receive(_ level: AudioLevel, of slot: Int, at now: MonoTime) {
        guard slots.indices.contains(slot), slots[slot].isPresent else { return }
        slots[slot].level = slots[slot].isFresh ? max(slots[slot].level, level) : level
        slots[slot].isFresh = true
        slots[slot].heard = now
    }

    /// Whether a participant is heard speaking right now, whoever has the floor.
    package func isSpeaking(_ slot: Int) -> Bool {
        slots.indices.contains(slot) && slots[slot].activity.isSpeaking
    }

    /// When `tick` is wanted next.
    package var deadline: MonoTime? {
        nextUnit
    }

    /// Takes the passing of time. Returns whether the floor changed.
    @discardableResult
    package mutating func tick(at now: MonoTime) -> Bool {
        let before = dominant
        var next = nextUnit ?? now + Self.unit
        if now - next > Self.longestCatchUp { next = now }
        while next <= now {
            endUnit(at: next)
            next += Self.unit
        }
        nextUnit = next
        return dominant != before
    }

    private mutating func endUnit(at now: MonoTime) {
        for index in slots.indices where slots[index].isPresent {
            if now - slots[index].heard >= Self.idleTimeout { slots[index].level = .silence }
            slots[index].activity.receive(slots[index].level)
            slots[index].isFresh = false
        }
        decide()
    }

    private mutating func decide() {
        var best: (slot: Int, medium: Double, long: Int)?
        for index in slots.indices where slots[index].isPresent && index != dominant {
            let long = slots[index].activity.long
            guard long >= Self.leastLong, let medium = lead(of: index) else { continue }
            if best.map({ (medium, long) > ($0.medium, $0.long) }) ?? true { best = (index, medium, long) }
        }
        if let best { dominant = best.slot }
    }

    /// By how much a candidate is ahead on the medium scale, when it is ahead on all three.
    private func lead(of candidate: Int) -> Double? {
        let activity = slots[candidate].activity
        let other = dominant.map { slots[$0].activity } ?? SpeechActivity()
        let medium = mediumScore.relative(activity.medium, to: other.medium)
        guard
            immediateScore.relative(activity.immediate, to: other.immediate) > Self.thresholds.immediate,
            medium > Self.thresholds.medium,
            longScore.relative(activity.long, to: other.long) > Self.thresholds.long
        else { return nil }
        return medium
    }
}
