import Devices
import Primitives

/// A simulated guest's microphone: it talks when its turn comes.
final class GuestVoice: SampleSource, @unchecked Sendable {
    // unchecked: `synthesizer` is touched by the device's thread only.
    private var synthesizer: SpeechSynthesizer
    private let guest: Int
    private let schedule: TurnSchedule

    init(guest: Int, schedule: TurnSchedule) {
        self.guest = guest
        self.schedule = schedule
        synthesizer = SpeechSynthesizer(guest: guest)
    }

    func fill(_ frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime) {
        let talks = schedule.speaker(at: now)?.guest == guest
        for index in frame.indices {
            frame[index] = synthesizer.next(talks: talks)
        }
    }
}
