import MediaEngine
import Primitives

/// Plays a clip in its own time, again and again: its pictures, and its sound beside them.
///
/// Lives on the source's thread.
struct ClipPlayback: ~Copyable {
    /// So far ahead of its time sound is read.
    private static let lead = Duration.milliseconds(200)

    private let pace: FilePace
    private var pictures: Y4MFile
    private var schedule: TickSchedule
    private var isFirst = true
    private let feed: SoundFeed?
    private var sound: ClipSound?
    /// When the next frame of sound belongs; `nil`: none follows before the pictures begin again.
    private var soundDue: MonoTime?
    private var frame = [Float](repeating: 0, count: AudioFormat.frameSampleCount)

    init(
        _ pictures: consuming Y4MFile, _ pace: FilePace, sound: consuming ClipSound?, feed: SoundFeed?, start: MonoTime
    ) {
        self.pictures = pictures
        self.pace = pace
        self.sound = sound
        self.feed = feed
        schedule = TickSchedule(period: pace.period, start: start)
    }

    /// When to play on.
    var deadline: MonoTime? {
        earlier(schedule.next, soundDue.map { $0 - Self.lead / 2 })
    }

    /// Gives what is due at `now`; pictures that are due no more are left out.
    mutating func play(to client: any CaptureClient, at now: MonoTime) throws(UserFacingError) {
        if now >= schedule.next {
            let picture = try next(at: now)
            readSound(until: now + Self.lead)
            client.captured(picture)
        } else {
            readSound(until: now + Self.lead)
        }
    }

    private mutating func next(at now: MonoTime) throws(UserFacingError) -> VideoFrame {
        let skippedCount = schedule.skippedCount
        var due = schedule.next
        schedule.take(at: now)
        let late = schedule.skippedCount - skippedCount
        due += pace.period * late
        let (before, count) = (pictures.position, isFirst ? 1 : (1 + late) * (pace.skipped + 1))
        let picture = try pictures.next(at: now, skipping: count - 1)
        if isFirst || pictures.position != before + count {
            sound?.rewind()
            feed?.beginAnew()
            let passed = pace.period * (pictures.position - 1) / (pace.skipped + 1)
            soundDue = feed == nil ? nil : due - passed
        }
        isFirst = false
        return picture
    }

    private mutating func readSound(until limit: MonoTime) {
        while let due = soundDue, due < limit {
            guard sound?.read(into: &frame) == true else {
                soundDue = nil
                return
            }
            frame.withUnsafeBufferPointer { feed?.append($0, due: due) }
            soundDue = due + AudioFormat.frameDuration
        }
    }
}
