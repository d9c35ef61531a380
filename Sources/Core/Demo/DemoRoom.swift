import ControlProtocol
import Foundation
import MediaEngine
import Primitives
import Reactor
import Signaling

/// The demonstration: a core without devices that hosts a room on loopback, and simulated guests in it.
@EngineActor
final class DemoRoom {
    let core: Core
    let guests: [SimulatedGuest]
    let schedule: TurnSchedule
    private let tap = SpeakerTap()
    private let detector: PilotDetector
    private var checks: [GuestCheck]
    private var mix: [Float] = []
    private var timer: EngineTimer?

    /// How long sound takes from a guest's mouth into the mix, at most; for so long after a turn began it is not judged.
    private static let settlingTime = Duration.milliseconds(700)
    /// How long the guests have to come in before the first one talks.
    private nonisolated static let firstPause = Duration.milliseconds(800)

    /// The least time after which it can be told whether everybody was heard.
    nonisolated static func leastTime(guestCount: Int) -> Duration {
        firstPause + TurnSchedule(start: .zero, guestCount: guestCount).round
    }

    /// The stretch of the mix in which pilots are looked for: 400 ms.
    private static let stretch = 19_200

    init(directories: Directories, guestCount: Int, breaksKeys: Bool) throws {
        let schedule = TurnSchedule(start: .now() + Self.firstPause, guestCount: guestCount)
        self.schedule = schedule
        core = try Core(directories: directories) { [tap] _ in
            NullSoundSystem(microphone: RoomTone(), speaker: tap)
        }
        core.calls.staysOnLoopback = true
        guests = try (0..<guestCount).map {
            try SimulatedGuest(index: $0, schedule: schedule, breaksKeys: breaksKeys)
        }
        detector = PilotDetector(pilotsHz: (0..<guestCount).map { SpeechSynthesizer.pilotHz(of: $0) })
        checks = (0..<guestCount).map { GuestCheck(guest: $0) }
        timer = EngineTimer { [weak self] in self?.watch() }
    }

    /// Opens the room and lets the guests in; `completion` gets the reason when that fails.
    func start(completion: @escaping @EngineActor (RPCError?) -> Void) throws {
        try core.start()
        let parameters: JSONValue = .object([
            "room": .string("demo"), "listen": .string("127.0.0.1:0"), "name": .string("you"), "muted": .bool(false),
        ])
        guard let method = Method.named("room.host") else { return }
        try core.calls.hostRoom(Arguments(parameters, for: method)) { [weak self] result in
            switch result {
            case .success(let answer): completion(self?.invite(answer))
            case .failure(let error): completion(error)
            }
        }
        timer?.arm(after: .milliseconds(100))
    }

    func stop() {
        timer = nil
        for guest in guests { guest.leave() }
        core.stop()
    }

    private func invite(_ answer: JSONValue) -> RPCError? {
        guard case .array(let links)? = answer["links"], let text = links.first?.stringValue,
            let link = try? RoomLink(text)
        else { return .failed("the demonstration's room has no link") }
        for guest in guests { guest.join(link) }
        return nil
    }

    /// Listens to what the host hears and looks at what it sees, ten times a second.
    private func watch() {
        timer?.arm(after: .milliseconds(100))
        guard let (samples, until) = tap.drain() else { return }
        mix = (mix + samples).suffix(Self.stretch)
        let levels = core.calls.levels(core.audio.report)
        let speaker = schedule.speaker(at: until)
        for index in checks.indices {
            guard let speaker, speaker.since > Self.settlingTime else { break }
            let talks = speaker.guest == index
            if let level = level(of: index, in: levels) { checks[index].sawLevel(level, talks: talks) }
            guard talks, mix.count == Self.stretch else { continue }
            checks[index].sawMix(hasPilot: detector.pilots(in: mix)[index])
        }
    }

    private func level(of guest: Int, in levels: LevelsUpdate) -> Int? {
        guard let member = core.calls.activeCall?.members.first(where: { $0.name == guests[guest].name }) else {
            return nil
        }
        return levels.people[member.id.rawValue]
    }
}

/// The report of the headless demonstration.
extension DemoRoom {
    /// The final state and figures, and whether everything was heard, seen and measured as it was set.
    func report() -> Demo.Report {
        core.refresh()
        let call = core.calls.activeCall
        var failures = call == nil ? ["the call has ended"] : []
        let participants: [JSONValue] = guests.indices.map { index in
            let (entry, failed) = describe(index, in: call)
            failures += failed
            return entry
        }
        let state = (try? JSONValue(encoding: core.publisher.state)) ?? .null
        let statistics = (try? JSONValue(encoding: core.statistics.latest)) ?? .null
        let json: JSONValue = .object([
            "passed": .bool(failures.isEmpty), "failures": .array(failures.map { .string($0) }),
            "participants": .array(participants), "state": state, "statistics": statistics,
        ])
        return Demo.Report(json: json.text, failures: failures)
    }

    private func describe(_ index: Int, in call: RoomCall?) -> (JSONValue, failures: [String]) {
        let (guest, check) = (guests[index], checks[index])
        let peer = call?.members.first { $0.name == guest.name }.flatMap { call?.peers[$0.id] }
        let counters = peer?.rtcp.receivers[0].counters
        let loss = counters.flatMap {
            $0.expectedCount > 0 ? Double($0.lostCount) / Double($0.expectedCount) * 100 : nil
        }
        let isLossRight = loss.map { abs($0 - guest.link.lossPercent) <= 2 } ?? false
        var entry: [String: JSONValue] = [
            "name": .string(guest.name), "link": .string(guest.link.name),
            "lossSetting": .number(guest.link.lossPercent), "lossAsSet": .bool(isLossRight),
            "pilotHeard": .bool(check.hasPilot), "meterFollows": .bool(check.meterFollows),
        ]
        entry["loss"] = loss.map { .number($0.rounded(places: 2)) }
        entry["level"] = check.talkingLevel.map { .integer($0) }
        var failures = check.failures
        if !isLossRight {
            let measured = loss.map { "\($0.rounded(places: 1)) %" } ?? "nothing"
            failures.append("its link loses \(guest.link.lossPercent) %, and \(measured) was measured")
        }
        return (.object(entry), failures.map { "\(guest.name): \($0)" })
    }
}
