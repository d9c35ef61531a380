import ControlProtocol
import Primitives
import Terminal

/// The microphone line: it has a fixed place, is the last to give way, and never lies.
enum MicrophoneView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look) {
        let (words, scope) = badge(model)
        let glyphs = look.glyphs
        let whole = glyphs.badgeLeft + glyphs.text(words) + glyphs.badgeRight
        // On the narrowest screens the words matter more than the badge around them.
        let text = DisplayWidth.of(whole) <= surface.size.columns ? whole : glyphs.text(words)
        var column = surface.put(text, row: row, column: 0, style: look[scope]) + 2
        for (text, isWarning) in evidence(model) {
            let width = DisplayWidth.of(text)
            guard column + width < surface.size.columns else { continue }
            column =
                surface.put(
                    glyphs.text(text), row: row, column: column,
                    style: look[isWarning ? .microphoneWarning : .microphone])
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

    private static func evidence(_ model: ConsoleModel) -> [(String, isWarning: Bool)] {
        guard model.isCurrent else { return [] }
        var evidence = model.state.audio.warnings.map { ($0.words, isWarning: true) }
        // Without a microphone the badge cannot say it.
        if model.call?.isHeld == true, model.state.audio.microphone != .onHold {
            evidence.insert(("ON HOLD", true), at: 0)
        }
        if let recording = model.call?.recording {
            evidence.append(("RECORDING " + time(since: recording.startedAt, model), true))
        }
        if let recorders = model.call?.recorders, let first = recorders.first {
            evidence.append((recorders.count == 1 ? "\(first) records" : "\(recorders.count) record", true))
        }
        let statistics = model.statistics
        if model.state.audio.microphone == .live, let reached = statistics.reached, let all = statistics.reachable {
            evidence.append(("reaches \(reached)/\(all)", reached < all))
        }
        if let camera = camera(model.state.video, inCall: model.call != nil) { evidence.append(camera) }
        if model.state.audio.isTalking == true, let key = model.talkKey {
            evidence.append(
                (model.heldTalkKey == nil ? "talking: \(key) stops it" : "talking while \(key) is held", false))
        }
        if model.state.audio.isMetering == true {
            evidence.append(("mic open for its level alone, nothing is sent", false))
        }
        if model.state.audio.isDeafened { evidence.append(("DEAFENED", true)) }
        if model.state.audio.isEveryoneSilenced { evidence.append(("everyone silenced", true)) }
        if model.state.audio.volumePercent == 0 { evidence.append(("everyone at 0%", true)) }
        if model.state.audio.silencesJoiners { evidence.append(("joiners silenced", false)) }
        if let people = model.call?.people, !people.isEmpty {
            evidence.append(("verified \(people.values.count(where: \.isVerified))/\(people.count)", false))
        }
        if let call = model.call, call.recording == nil, call.recorders.isEmpty {
            evidence.append(("not recording", false))
        }
        return evidence
    }

    private static func time(since start: Int, _ model: ConsoleModel) -> String {
        Duration.milliseconds(max(0, model.now.wallMs - start)).minutesAndSeconds
    }

    /// What the others see of us, and whether the source is open (A30.2); nothing is said where there is nothing to show.
    private static func camera(_ video: VideoState, inCall: Bool) -> (String, isWarning: Bool)? {
        let isOpen = video.isOpen == true
        guard inCall || video.isPreviewing || isOpen, let source = video.source else { return nil }
        let open = source.isCamera == true ? "CAMERA OPEN" : "PICTURE OPEN"
        switch video.camera {
        case .none: return nil
        case .live:
            let limit: String? =
                switch video.limit {
                case .soundOnly: ": the network carries only sound to some"
                case .smallPicture: ", small to some"
                case nil: nil
                }
            return ("PICTURE LIVE (\(source.description))\(limit ?? "")", true)
        case .muted where isOpen: return (inCall ? "video off, \(open)" : open, true)
        case .muted: return inCall ? ("video off", false) : nil
        case .closed: return ("camera closed", false)
        case .onHold: return isOpen ? (open, true) : nil
        case .lost: return ("no picture: \(source.reason ?? source.description)", true)
        }
    }
}
