import Primitives
import Testing

@testable import Core

@Suite struct GuestVoiceTests {
    private let schedule = TurnSchedule(start: .zero, guestCount: 3)

    private func sound(of guest: Int, from start: Duration, seconds: Double) -> [Float] {
        let voice = GuestVoice(guest: guest, schedule: schedule)
        var samples: [Float] = []
        var frame = [Float](repeating: 0, count: 480)
        for index in 0..<Int(seconds * 100) {
            frame.withUnsafeMutableBufferPointer { voice.fill($0, at: .zero + start + .milliseconds(10 * index)) }
            samples += frame
        }
        return samples
    }

    @Test func guestsTakeTurns() {
        #expect(schedule.speaker(at: .zero + .milliseconds(100))?.guest == 0)
        #expect(schedule.speaker(at: .zero + .milliseconds(2000)) == nil)
        #expect(schedule.speaker(at: .zero + .milliseconds(2400))?.guest == 1)
        #expect(schedule.speaker(at: .zero + .milliseconds(3 * 2300 + 100))?.guest == 0)
    }

    @Test(arguments: 0..<7) func aPilotIsFoundInItsOwnVoiceAndInNoOther(guest: Int) {
        let detector = PilotDetector(pilotsHz: (0..<7).map(SpeechSynthesizer.pilotHz))
        var synthesizer = SpeechSynthesizer(guest: guest)
        let samples = (0..<48_000).map { _ in synthesizer.next(talks: true) }
        let found = detector.pilots(in: Array(samples.suffix(24_000)))
        #expect(found[guest])
        #expect(found.enumerated().allSatisfy { $0.offset == guest || !$0.element })
    }

    @Test func aSilentGuestIsSilent() {
        #expect(sound(of: 1, from: .milliseconds(100), seconds: 1).allSatisfy { $0 == 0 })
    }

    @Test func aTalkingGuestIsAsLoudAsSpeech() {
        let samples = sound(of: 0, from: .milliseconds(100), seconds: 1.5)
        let power = samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)
        let level = decibels(amplitude: power.squareRoot())
        #expect((-32 ... -14).contains(level), "\(level) dBov")
    }
}
