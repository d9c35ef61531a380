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

    init(_ pictures: consuming Y4MFile, _ pace: FilePace, sound: consuming ClipSound?, feed: SoundFeed?) {
        self.pictures = pictures
        self.pace = pace
        self.sound = sound
        self.feed = feed
        schedule = TickSchedule(period: pace.period, start: .now())
    }

    /// Plays until the thread is stopped, or the file fails.
    mutating func run(on thread: WorkerThread, _ client: any CaptureClient) throws(UserFacingError) {
        while thread.wait(until: earlier(schedule.next, soundDue.map { $0 - Self.lead / 2 })) != .stopped {
            let now = MonoTime.now()
            readSound(until: now + Self.lead)
            if now >= schedule.next { try showNext(to: client, at: now) }
        }
    }

    /// Pictures that are due no more are left out.
    private mutating func showNext(to client: any CaptureClient, at now: MonoTime) throws(UserFacingError) {
        let (due, skippedCount) = (schedule.next, schedule.skippedCount)
        schedule.take(at: now)
        let steps = 1 + schedule.skippedCount - skippedCount
        let passCount = pictures.passCount
        let picture = try pictures.next(at: now, skipping: isFirst ? 0 : steps * (pace.skipped + 1) - 1)
        if isFirst || pictures.passCount != passCount {
            sound?.rewind()
            feed?.beginAnew()
            soundDue = feed == nil ? nil : due + pace.period * (steps - 1)
            readSound(until: now + Self.lead)
        }
        isFirst = false
        client.captured(picture)
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
