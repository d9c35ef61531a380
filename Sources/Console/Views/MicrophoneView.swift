import ControlProtocol
import Primitives
import Terminal

/// The microphone line: it has a fixed place, is the last to give way, and never lies.
enum MicrophoneView {
    /// What stands beside the badge, for narrower and narrower screens. What has a short form is not left out for what has
    /// none.
    private struct Evidence {
        var texts: [String]
        var isWarning: Bool

        init(_ texts: String..., isWarning: Bool) {
            (self.texts, self.isWarning) = (texts, isWarning)
        }

        /// The columns that are kept for it, with those before it.
        var leastWidth: Int {
            texts.count > 1 ? texts.last.map { DisplayWidth.of($0) + 3 } ?? 0 : 0
        }
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look) {
        let (words, scope) = badge(model)
        let glyphs = look.glyphs
        let whole = glyphs.badgeLeft + glyphs.text(words) + glyphs.badgeRight
        // On the narrowest screens the words matter more than the badge around them.
        let evidence = evidence(model)
        var room = surface.size.columns - evidence.map(\.leastWidth).reduce(0, +)
        let text = DisplayWidth.of(whole) <= room ? whole : glyphs.text(words)
        var column = surface.put(text, row: row, column: 0, style: look[scope]) + 2
        for evidence in evidence {
            room += evidence.leastWidth
            guard let text = evidence.texts.first(where: { column + DisplayWidth.of($0) < room }) else { continue }
            column =
                surface.put(
                    glyphs.text(text), row: row, column: column,
                    style: look[evidence.isWarning ? .microphoneWarning : .microphone])
                + 3
        }
    }

    /// What the microphone is, in words: what is confirmed, or what was asked and is not confirmed yet.
    static func badge(_ model: ConsoleModel) -> (String, Scope) {
        guard model.isCurrent else {
            if case .lost = model.link { return ("UNKNOWN (core lost)", .microphoneUnknown) }
            return ("UNKNOWN (asking the core)", .microphoneUnknown)
        }
        switch model.microphoneWish {
        case .mute: return ("muting…", .microphonePending)
        case .unmute: return ("unmuting…", .microphonePending)
        case .close: return ("closing…", .microphonePending)
        case .open: return ("opening…", .microphonePending)
        case nil: break
        }
        if model.state.audio.waitsForPush {
            return model.isPushing ? ("opening…", .microphonePending) : ("PUSH TO TALK", .microphoneMuted)
        }
        switch model.state.audio.microphone {
        case .live: return ("MIC LIVE", .microphoneLive)
        case .muted: return ("MUTED", .microphoneMuted)
        case .closed: return ("MIC CLOSED", .microphoneClosed)
        case .noMicrophone: return ("NO MIC", .microphoneNone)
        case .onHold: return ("ON HOLD", .microphoneHold)
        case .idle: return ("NOT IN A CALL", .microphoneNone)
        }
    }

    /// The badge's words for narrower and narrower columns.
    static func words(_ model: ConsoleModel) -> [String] {
        let (words, scope) = badge(model)
        switch scope {
        case .microphoneUnknown: return [words, "UNKNOWN"]
        case .microphoneClosed: return [words, "CLOSED"]
        case .microphoneMuted where model.state.audio.waitsForPush: return [words, "PUSH"]
        default: return [words]
        }
    }

    private static func evidence(_ model: ConsoleModel) -> [Evidence] {
        guard model.isCurrent else { return [] }
        var evidence = model.state.audio.warnings.map { Evidence($0.words, isWarning: true) }
        // Without a microphone the badge cannot say it.
        if model.call?.isHeld == true, model.state.audio.microphone != .onHold {
            evidence.insert(Evidence("ON HOLD", isWarning: true), at: 0)
        }
        if let recording = model.call?.recording {
            evidence.append(
                Evidence("RECORDING " + time(since: recording.startedAt, model), "RECORDING", "REC", isWarning: true))
        }
        if let recorders = model.call?.recorders, let first = recorders.first {
            let words = recorders.count == 1 ? "\(first) records" : "\(recorders.count) record"
            evidence.append(Evidence(words, "recorded", isWarning: true))
        }
        if let camera = camera(model) { evidence.append(camera) }
        let statistics = model.statistics
        if model.state.audio.microphone == .live, let reached = statistics.reached, let all = statistics.reachable {
            evidence.append(Evidence("reaches \(reached)/\(all)", isWarning: reached < all))
        }
        if model.state.audio.isTalking == true, let key = model.talkKey {
            let words = model.heldTalkKey == nil ? "talking: \(key) stops it" : "talking while \(key) is held"
            evidence.append(Evidence(words, isWarning: false))
        }
        if model.state.audio.isMetering == true {
            evidence.append(Evidence("mic open for its level alone, nothing is sent", isWarning: false))
        }
        if model.state.audio.isDeafened { evidence.append(Evidence("DEAFENED", isWarning: true)) }
        if model.state.audio.isEveryoneSilenced { evidence.append(Evidence("everyone silenced", isWarning: true)) }
        if model.state.audio.volumePercent == 0 { evidence.append(Evidence("everyone at 0%", isWarning: true)) }
        if model.state.audio.silencesJoiners { evidence.append(Evidence("joiners silenced", isWarning: false)) }
        if let people = model.call?.people, !people.isEmpty {
            evidence.append(
                Evidence("verified \(people.values.count(where: \.isVerified))/\(people.count)", isWarning: false))
        }
        if let call = model.call, call.recording == nil, call.recorders.isEmpty {
            evidence.append(Evidence("not recording", isWarning: false))
        }
        return evidence
    }

    private static func time(since start: Int, _ model: ConsoleModel) -> String {
        Duration.milliseconds(max(0, model.now.wallMs - start)).minutesAndSeconds
    }

    /// What the others see of us, and whether the source is open (A30.2); nothing is said where there is nothing to show.
    private static func camera(_ model: ConsoleModel) -> Evidence? {
        let (video, inCall) = (model.state.video, model.call != nil)
        let isOpen = video.isOpen == true
        guard model.isCurrent, inCall || video.isPreviewing || isOpen, let source = video.source else { return nil }
        let (name, short) = source.isCamera == true ? ("CAMERA", "CAM") : ("PICTURE", "PIC")
        switch video.camera {
        case .none: return nil
        case .live:
            let limit =
                switch video.limit {
                case .soundOnly: ": the network carries only sound to some"
                case .smallPicture: ", small to some"
                case nil: ""
                }
            let live = "PICTURE LIVE (\(source.description))"
            return Evidence(live + limit, live, "PICTURE LIVE", "\(short) LIVE", short, isWarning: true)
        case .muted where isOpen && inCall:
            return Evidence("video off, \(name) OPEN", "\(name) OPEN", short, isWarning: true)
        case .muted where isOpen: return Evidence("\(name) OPEN", short, isWarning: true)
        case .muted: return inCall ? Evidence("video off", isWarning: false) : nil
        case .closed: return Evidence("camera closed", isWarning: false)
        case .onHold: return isOpen ? Evidence("\(name) OPEN", short, isWarning: true) : nil
        case .lost: return Evidence("no picture: \(source.reason ?? source.description)", "no picture", isWarning: true)
        }
    }
}
