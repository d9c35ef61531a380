import MediaEngine
import Primitives
import Testing

@Suite struct DominantSpeakerTests {
    @Test func turnsAreFoundSoonAndOthersAreNot() {
        let conversation = Conversation(seed: 21)
        let ours = judge(conversation, Follower())
        let plain = judge(conversation, LoudestAverage(count: conversation.participantCount))
        #expect(ours.median <= 450, "\(ours)")
        #expect(ours.percentile95 <= 900, "\(ours)")
        #expect(ours.missed <= ours.turns / 50, "\(ours)")
        #expect(Double(ours.falseSwitches) <= 0.5 * Double(plain.falseSwitches), "\(ours), plain \(plain)")
        #expect(plain.falseSwitches > 0)
    }

    @Test(arguments: [50, 100, 150])
    func shortBurstNeverTakesTheFloor(milliseconds: Int) {
        for offset in 0..<20 {
            var room = Room(count: 3)
            room.run(frames: 200 + offset) { $0 == 0 ? -20 : -60 }
            #expect(room.speaker.dominant == 0)
            room.run(frames: 50) { _ in -60 }
            room.run(frames: milliseconds / 10) { $0 == 1 ? -10 : -60 }
            room.run(frames: 200) { _ in -60 }
            #expect(room.speaker.dominant == 0)
        }
    }

    @Test func burstInAnEmptyRoomTakesNoFloor() {
        var room = Room(count: 2)
        room.run(frames: 100) { _ in -60 }
        room.run(frames: 15) { $0 == 1 ? -10 : -60 }
        room.run(frames: 100) { _ in -60 }
        #expect(room.speaker.dominant == nil)
    }

    @Test func newSpeakerHasTheFloorWithinSixTenths() {
        for offset in 0..<20 {
            var room = Room(count: 2)
            room.run(frames: 300 + offset) { $0 == 0 ? -20 : -60 }
            let frames = room.runUntilDominant(is: 1) { $0 == 1 ? -20 : -60 }
            #expect(frames.map { $0 <= 60 } == true, "\(String(describing: frames)) frames")
        }
    }

    @Test func theFloorIsKeptWhileItsHolderGoesOn() {
        var room = Room(count: 2)
        room.run(frames: 200) { $0 == 0 ? -25 : -60 }
        room.run(frames: 300) { $0 == 0 ? -25 : -12 }
        #expect(room.speaker.dominant == 0)
    }

    @Test func steadyNoiseIsNoSpeech() {
        var room = Room(count: 2)
        room.run(frames: 300) { $0 == 0 ? -42 : -65 }
        #expect(room.speaker.dominant == nil)
        #expect(!room.speaker.isSpeaking(0))
        room.run(frames: 100) { $0 == 0 ? -20 : -65 }
        #expect(room.speaker.dominant == 0)
    }

    @Test func speakingEndsWithTheSound() {
        var room = Room(count: 2)
        room.run(frames: 100) { $0 == 0 ? -20 : -60 }
        #expect(room.speaker.isSpeaking(0))
        #expect(!room.speaker.isSpeaking(1))
        room.run(frames: 50) { _ in -60 }
        #expect(!room.speaker.isSpeaking(0))
        #expect(room.speaker.dominant == 0, "the last speaker is still named in silence")
    }

    @Test func levelsThatStopComingAreSilence() {
        var room = Room(count: 2)
        room.run(frames: 100) { $0 == 0 ? -20 : -60 }
        room.run(frames: 60) { $0 == 0 ? nil : -60 }
        #expect(!room.speaker.isSpeaking(0))
    }

    @Test func packetsOfSixtyMillisecondsAreEnough() {
        var room = Room(count: 2)
        var frame = 0
        room.run(frames: 400) { slot in
            if slot == 0 { frame += 1 }
            return slot == 1 ? -60 : frame % 4 == 0 ? -20 : nil
        }
        #expect(room.speaker.dominant == 0)
    }

    @Test func leavingGivesTheFloorBack() {
        var room = Room(count: 2)
        room.run(frames: 100) { $0 == 0 ? -20 : -60 }
        room.speaker.remove(0)
        #expect(room.speaker.dominant == nil)
        room.speaker.add(0)
        #expect(!room.speaker.isSpeaking(0))
    }

    @Test func slotsBeyondTheCapacityAreIgnored() {
        var speaker = DominantSpeaker(capacity: 1)
        speaker.add(7)
        speaker.remove(-1)
        speaker.receive(AudioLevel(dBov: -10), of: 7, at: .zero)
        #expect(!speaker.isSpeaking(7))
        let changed = speaker.tick(at: .zero)
        #expect(!changed)
    }

    @Test func deadlineMovesForward() {
        var speaker = DominantSpeaker(capacity: 1)
        var now = MonoTime.zero
        for step in [10, 10, 0, 500, 5000, 20] {
            now += .milliseconds(step)
            speaker.tick(at: now)
            #expect(speaker.deadline.map { $0 > now } == true)
        }
    }

    private struct Verdict {
        var median = 0
        var percentile95 = 0
        var falseSwitches = 0
        var missed = 0
        var turns = 0
    }

    /// Milliseconds from the start of each turn of a second or more until it was found, and how often the floor went to
    /// somebody who did not have the turn during the last half second.
    private func judge(_ conversation: Conversation, _ follower: some SpeakerFollower) -> Verdict {
        var follower = follower
        var holders = [Int?](repeating: nil, count: conversation.frameCount)
        var verdict = Verdict()
        for frame in 0..<conversation.frameCount {
            let row = frame * conversation.participantCount
            let before = follower.speaker
            follower.receive(conversation.levels[row..<(row + conversation.participantCount)], frame: frame)
            holders[frame] = follower.speaker
            guard let after = follower.speaker, after != before else { continue }
            if !conversation.holders(at: frame, grace: 50).contains(after) { verdict.falseSwitches += 1 }
        }
        let long = conversation.turns.filter { $0.end - $0.start >= 100 }
        let found = long.compactMap { turn in
            (turn.start..<turn.end).first { holders[$0] == turn.speaker }.map { ($0 - turn.start) * 10 }
        }.sorted()
        verdict.turns = long.count
        verdict.missed = long.count - found.count
        verdict.median = found[found.count / 2]
        verdict.percentile95 = found[found.count * 95 / 100]
        return verdict
    }
}

private protocol SpeakerFollower {
    var speaker: Int? { get }
    mutating func receive(_ levels: ArraySlice<Float>, frame: Int)
}

private struct Follower: SpeakerFollower {
    var machine: DominantSpeaker

    init() {
        machine = DominantSpeaker(capacity: 12)
        for slot in 0..<12 { machine.add(slot) }
    }

    var speaker: Int? { machine.dominant }

    mutating func receive(_ levels: ArraySlice<Float>, frame: Int) {
        let now = MonoTime.zero + .milliseconds(10 * frame)
        for (slot, level) in levels.enumerated() { machine.receive(AudioLevel(dBov: level), of: slot, at: now) }
        machine.tick(at: now)
    }
}

/// The plain way: the loudest smoothed level has the floor.
private struct LoudestAverage: SpeakerFollower {
    var averages: [Float]
    var speaker: Int?

    init(count: Int) {
        averages = .init(repeating: -127, count: count)
    }

    mutating func receive(_ levels: ArraySlice<Float>, frame: Int) {
        for (slot, level) in levels.enumerated() { averages[slot] += 0.05 * (level - averages[slot]) }
        guard frame % 10 == 0 else { return }
        speaker = averages.indices.max { averages[$0] < averages[$1] }
    }
}

private struct Room {
    var speaker: DominantSpeaker
    private var now = MonoTime.zero
    private let count: Int

    init(count: Int) {
        self.count = count
        speaker = DominantSpeaker(capacity: count)
        for slot in 0..<count { speaker.add(slot) }
    }

    /// Runs frames of 10 ms; `nil`: nothing comes from that slot.
    mutating func run(frames: Int, level: (Int) -> Float?) {
        for _ in 0..<frames {
            for slot in 0..<count {
                if let dBov = level(slot) { speaker.receive(AudioLevel(dBov: dBov), of: slot, at: now) }
            }
            speaker.tick(at: now)
            now += .milliseconds(10)
        }
    }

    mutating func runUntilDominant(is slot: Int, level: (Int) -> Float) -> Int? {
        for frame in 1...200 {
            run(frames: 1) { level($0) }
            if speaker.dominant == slot { return frame }
        }
        return nil
    }
}
