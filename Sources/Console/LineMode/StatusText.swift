import ControlProtocol

/// How things stand, in sentences: the microphone first.
enum StatusText {
    static func lines(_ state: CoreState) -> [String] {
        [microphone(state)] + state.audio.warnings.map { $0.words + "." } + [picture(state)].compactMap { $0 }
            + [call(state)] + recording(state) + waiting(state)
    }

    static func microphone(_ state: CoreState) -> String {
        if state.audio.waitsForPush { return "push to talk; nothing is sent now." }
        return switch state.audio.microphone {
        case .live: "microphone live."
        case .muted: "microphone muted."
        case .closed: "microphone closed."
        case .noMicrophone: "no microphone."
        case .onHold: "on hold."
        case .idle: "not in a call."
        }
    }

    /// What is seen of the person here, and by whom; `nil`: no source is open.
    static func picture(_ state: CoreState) -> String? {
        guard state.video.isOpen == true, let source = state.video.source else { return nil }
        let size = source.width.flatMap { width in source.height.map { " at \(width)x\($0)" } } ?? ""
        let rate = source.frameRate.map { ", \($0) frames a second" } ?? ""
        let isSeen = state.video.camera == .live
        return "\(source.description) is open\(size)\(rate): \(isSeen ? "the others see it" : "nobody else sees it")."
    }

    private static func recording(_ state: CoreState) -> [String] {
        let call = state.activeCall.flatMap { state.calls[$0] }
        let own = call?.recording.map { ["recording the call in \($0.path)"] } ?? []
        let names = call?.recorders ?? []
        return names.isEmpty
            ? own : own + ["\(names.joined(separator: ", ")) \(names.count == 1 ? "records" : "record") the call"]
    }

    private static func waiting(_ state: CoreState) -> [String] {
        let names = state.activeCall.flatMap { state.calls[$0]?.waitingNames } ?? []
        guard let first = names.first else { return [] }
        return ["\(names.joined(separator: ", ")) \(names.count == 1 ? "waits" : "wait") in the room; ring \(first)"]
    }

    private static func call(_ state: CoreState) -> String {
        guard let call = state.activeCall.flatMap({ state.calls[$0] }) else {
            return state.lastEnd.map { "no call; \($0.room) ended: \($0.reason)" } ?? "no call"
        }
        let people = call.order.compactMap { call.people[$0]?.name }
        return "in \(call.room) with \(people.isEmpty ? "nobody else" : people.joined(separator: ", "))"
    }
}
