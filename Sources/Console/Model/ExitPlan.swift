import ControlProtocol
import Primitives

/// How the console ends: requests one after another, then a line that says what goes on.
struct ExitPlan: Hashable, Sendable {
    /// What is still to be asked; the first one is under way.
    var steps: [ConsoleRequest]
    /// Printed when every step was answered.
    var line: String?
    /// Printed when the core did not answer.
    var unanswered: String
    var deadline: MonoTime

    /// How long the core may take for all of it.
    static let patience = Duration.seconds(2)
}

extension ConsoleModel {
    /// How the user wants to end.
    enum ExitWish: Hashable, Sendable {
        case detach
        case muteAndDetach
        case leave
        case closeRoom
    }

    mutating func exit(_ wish: ExitWish) {
        overlay = nil
        guard link == .attached || link == .frozen else { return finish("the core is lost; `hoot` looks for it again") }
        let room = call?.room ?? ""
        var steps: [ConsoleRequest] = []
        var line: String?
        switch wish {
        case .detach: line = farewell(microphone: microphoneWords)
        case .muteAndDetach:
            steps.append(ConsoleRequest("audio.mute", ["on": .bool(true)], purpose: .exit))
            line = farewell(microphone: "microphone muted")
        case .leave:
            var params: [String: JSONValue] = [:]
            if let call { params["call"] = .string(call.id) }
            if call?.isServedHere == true { params["keepRoom"] = .bool(true) }
            steps.append(ConsoleRequest("call.leave", params, purpose: .exit))
            line = "left \(room)" + (links.first.map { "; it stays open for \($0)" } ?? "")
        case .closeRoom:
            let params: [String: JSONValue] = call.map { ["call": .string($0.id)] } ?? [:]
            steps.append(ConsoleRequest("room.close", params, purpose: .exit))
            line = "closed \(room) for everyone"
        }
        if link == .attached { steps.append(ConsoleRequest("core.detach", purpose: .exit)) }
        let unanswered = "the core did not answer; `hoot status` says what goes on"
        exitPlan = ExitPlan(steps: steps, line: line, unanswered: unanswered, deadline: now.mono + ExitPlan.patience)
        guard let first = steps.first else { return finish(line) }
        effects.append(.request(first))
    }

    /// A step was answered.
    mutating func continueExit() {
        guard var plan = exitPlan else { return }
        plan.steps = Array(plan.steps.dropFirst())
        exitPlan = plan
        if let next = plan.steps.first {
            effects.append(.request(next))
        } else {
            finish(plan.line)
        }
    }

    mutating func finish(_ line: String?) {
        exitPlan = nil
        effects.append(.exit(line: line))
    }

    private func farewell(microphone: String) -> String? {
        if let call {
            return "still in \(call.room), \(microphone):  hoot · hoot mute · hoot leave"
                + (links.first.map { "\ninvite:  \($0)" } ?? "")
        }
        guard let (room, waiting) = state.waiting.min(by: { $0.key < $1.key }) else { return nil }
        return "still reachable in \(room) as \(waiting.name):  hoot · hoot core stop"
    }

    private var microphoneWords: String {
        switch state.audio.microphone {
        case .live: "microphone live"
        case .muted: "microphone muted"
        case .closed: "microphone closed"
        case .noMicrophone: "no microphone"
        case .onHold: "on hold"
        case .idle: "microphone idle"
        }
    }
}
