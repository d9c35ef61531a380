import ControlProtocol
import Primitives

/// Makes sentences of what the core tells, as many as can be listened to. A value without a clock.
struct LineNarrator {
    var detail = LineDetail.normal
    private(set) var mirror = StateMirror()

    private var hasState = false
    private var speaking: (id: String, since: MonoTime)?
    private var toldSpeaker: String?
    private var toldSpeakerAt: MonoTime?
    /// The last warning of losses without its figures.
    private var toldLoss: String?
    private var toldLossAt: MonoTime?
    private var lossSeenAt = MonoTime.zero

    /// Who says a word is not told of, nor is every speaker of a lively talk.
    static let speakerTime = Duration.seconds(1)
    static let speakerPause = Duration.seconds(5)
    /// A warning that goes on is told again so often, and its end when it was not seen for a while.
    static let lossPause = Duration.seconds(60)
    static let lossEnd = Duration.seconds(15)

    var state: CoreState { mirror.state }

    /// - Parameter isAnswering: whether the answer to a verb will tell how the microphone stands.
    mutating func take(_ update: Update, at now: MonoTime, isAnswering: Bool = false) -> [String] {
        switch update {
        case .state, .patch: return takeState(update, isAnswering: isAnswering)
        case .event(let event): return detail.tells(event.kind) ? [event.text] : []
        case .levels(let levels): return follow(levels.speaking, at: now)
        case .statistics(let statistics): return warn(statistics.verdict, at: now)
        }
    }

    private mutating func takeState(_ update: Update, isAnswering: Bool) -> [String] {
        let before = (microphone: StatusText.microphone(state), picture: StatusText.picture(state))
        _ = try? mirror.apply(update)
        defer { hasState = true }
        guard hasState else { return [] }
        let after = (microphone: StatusText.microphone(state), picture: StatusText.picture(state))
        return (before.microphone != after.microphone && !isAnswering ? [after.microphone] : [])
            + (before.picture != after.picture ? [after.picture ?? "no picture is open."] : [])
    }

    private mutating func follow(_ id: String?, at now: MonoTime) -> [String] {
        guard detail != .quiet, let id else {
            speaking = nil
            return []
        }
        if speaking?.id != id { speaking = (id, now) }
        guard let since = speaking?.since, now - since >= Self.speakerTime, id != toldSpeaker,
            toldSpeakerAt.map({ now - $0 >= Self.speakerPause }) ?? true
        else { return [] }
        (toldSpeaker, toldSpeakerAt) = (id, now)
        return [id == ConsoleModel.me ? "you speak" : "\(name(of: id)) speaks"]
    }

    private mutating func warn(_ verdict: String?, at now: MonoTime) -> [String] {
        guard detail != .quiet else { return [] }
        guard let verdict else {
            guard toldLoss != nil, now - lossSeenAt >= Self.lossEnd else { return [] }
            toldLoss = nil
            return ["the losses are over"]
        }
        lossSeenAt = now
        let kind = verdict.filter { !$0.isNumber }
        guard kind != toldLoss || toldLossAt.map({ now - $0 >= Self.lossPause }) ?? true else { return [] }
        (toldLoss, toldLossAt) = (kind, now)
        return [verdict]
    }

    private func name(of id: String) -> String {
        state.activeCall.flatMap { state.calls[$0]?.people[id]?.name } ?? id
    }
}
