package import ControlProtocol
package import Primitives

/// What comes from the core.
extension ConsoleModel {
    /// The connection stands and versions are exchanged.
    ///
    /// - Parameters:
    ///   - mismatch: what to tell the user when the core speaks another version.
    ///   - pulseServer: the sound server of this console's environment, offered to the core.
    ///   - display: the X display of this console's environment, for what the core starts.
    package mutating func attached(
        mismatch: String?, pulseServer: String?, display: String? = nil, at time: ConsoleTime
    ) {
        now = time
        requests = [:]
        microphoneWish = nil
        (heldTalkKey, isPushing) = (nil, false)
        hasState = false
        showsMeter = false
        isPreviewing = false
        if let mismatch {
            link = .frozen
            say(mismatch, .error)
            return ask("core.state", purpose: .state)
        }
        if case .lost = link { say("the core is back") }
        link = .attached
        var params: [String: JSONValue] = ["console": .bool(true)]
        if let pulseServer { params["pulseServer"] = .string(pulseServer) }
        if let display { params["display"] = .string(display) }
        ask("core.subscribe", params, .plain("cannot attach"))
    }

    /// The connection ended.
    package mutating func lost(_ reason: String, at time: ConsoleTime) {
        now = time
        requests = [:]
        microphoneWish = nil
        (heldTalkKey, isPushing) = (nil, false)
        if let exitPlan { return finish(exitPlan.unanswered) }
        if case .lost = link { return }
        link = .lost(reason: reason)
        latestStatistics = nil
        levels = LevelsUpdate()
        levelsAt = nil
        say("the core is lost: \(reason); trying again", .error)
    }

    /// A request went out under `id`.
    package mutating func sent(_ request: ConsoleRequest, id: Int) {
        requests[id] = request
    }

    /// A message came from the core.
    package mutating func receive(_ message: RPCMessage, at time: ConsoleTime) {
        now = time
        switch message {
        case .request(_, let method, let params):
            guard let update = try? Update(method: method, params: params) else { return }
            receive(update)
        case .result(.integer(let id), let result):
            if let request = requests.removeValue(forKey: id) { answered(request, result) }
        case .error(.integer(let id), let error):
            if let request = requests.removeValue(forKey: id) { refused(request, error) }
        case .result, .error:
            break
        }
        confirmMicrophone()
        followTalk()
        soundBell()
        askForMeter()
    }

    private mutating func receive(_ update: Update) {
        switch update {
        case .state, .patch:
            if (try? mirror.apply(update)) != true { ask("core.state", purpose: .state) }
            if case .state = update { hasState = true }
            takeChat()
        case .levels(let levels):
            self.levels = levels
            levelsAt = now.mono
            followSpeaker()
            promoteSpeaker()
            updatePeaks()
            updateTalk()
        case .statistics(let statistics):
            let isDue = hasMeters || latestStatistics == nil || now.mono - statisticsAt >= Self.stillFiguresTime
            if isDue { (latestStatistics, statisticsAt) = (statistics, now.mono) }
            // Whom the microphone reaches is no figure.
            latestStatistics?.reached = statistics.reached
            latestStatistics?.reachable = statistics.reachable
        // The chat is in the state as well, and there it can be missed by nobody.
        case .event(let event): if event.kind != .chat { log.add(event) }
        }
    }

    private mutating func updatePeaks() {
        var kept: [String: PeakHold] = [:]
        var current = levels.people
        current[Self.me] = levels.microphone
        for (id, level) in current {
            var peak = peaks[id] ?? PeakHold()
            peak.update(levelDBov: level, at: now.mono)
            kept[id] = peak
        }
        peaks = kept
    }

    private mutating func answered(_ request: ConsoleRequest, _ result: JSONValue) {
        // By a key or typed.
        if request.method == "video.preview" { isPreviewing = result["on"]?.boolValue ?? false }
        switch request.purpose {
        case .plain, .microphone, .talk, .quiet: break
        case .exit: continueExit()
        case .state: take(state: result)
        case .chat: chatSent(result)
        case .source: chose(source: result["source"]?.stringValue)
        case .typed(let line): answered(typed: line, result)
        case .settings: loadedSettings(result)
        case .setting(let name, _): changedSetting(name, to: result)
        case .invite: invited(result)
        case .invites: loadedInvites(result)
        case .revoke: revoked(result)
        case .devices:
            if case .devices(var picker) = overlay {
                picker.load(result)
                overlay = .devices(picker)
            }
        }
    }

    private mutating func take(state result: JSONValue) {
        let params: JSONValue = result["state"] == nil ? .object(["revision": .integer(0), "state": result]) : result
        guard let update = try? Update(method: "state", params: params) else {
            return say("the core's state cannot be read by this console", .error)
        }
        _ = try? mirror.apply(update)
        hasState = true
        takeChat()
    }

    private mutating func refused(_ request: ConsoleRequest, _ error: RPCError) {
        switch request.purpose {
        case .plain(let words), .source(let words):
            say(words.isEmpty ? error.message : "\(words): \(error.message)", .error)
        case .microphone:
            microphoneWish = nil
            say("the microphone stays as it is: \(error.message)", .error)
        case .talk:
            isPushing = false
            say("nobody hears you: \(error.message)", .error)
        case .devices:
            overlay = nil
            say("no devices: \(error.message)", .error)
        case .state: say("no state: \(error.message)", .error)
        case .quiet: break
        case .typed(let line): say("\(line): \(error.message)", .error)
        case .chat(let prompt): chatRefused(prompt, error.message)
        case .settings:
            overlay = nil
            say("the settings are not known: \(error.message)", .error)
        case .setting(_, let prompt): refusedSetting(prompt, error.message)
        case .invite: say("no invite is made: \(error.message)", .error)
        case .invites: say("the invites are not known: \(error.message)", .error)
        case .revoke: say("the invite stays: \(error.message)", .error)
        case .exit:
            exitPlan = nil
            say(error.message, .error)
        }
    }

    /// The wish is fulfilled when the core's state says so, not when it has answered.
    private mutating func confirmMicrophone() {
        switch microphoneWish {
        case .mute where state.audio.isMuted, .unmute where !state.audio.isMuted, .close where state.audio.isClosed,
            .open where !state.audio.isClosed:
            microphoneWish = nil
        default: break
        }
    }

    /// Time passes.
    package mutating func tick(at time: ConsoleTime) {
        let second = now.wallMs / 1000
        now = time
        soundBell()
        if let exitPlan, time.mono >= exitPlan.deadline { finish(exitPlan.unanswered) }
        if link == .frozen, time.wallMs / 1000 != second, !requests.values.contains(where: { $0.purpose == .state }) {
            ask("core.state", purpose: .state)
        }
    }

    /// When the screen changes by itself, or something is overdue.
    package var deadline: MonoTime? {
        let isTicking = call != nil || asking != nil || link == .frozen
        let untilSecond = Duration.milliseconds(1000 - now.wallMs % 1000)
        let clock = isTicking ? now.mono + untilSecond : nil
        let meters = levelsAt.map { $0 + Self.levelsLifetime + .milliseconds(1) }.flatMap { $0 > now.mono ? $0 : nil }
        return earlier(earlier(clock, meters), exitPlan?.deadline)
    }

    private mutating func ask(_ method: String, purpose: ConsoleRequest.Purpose) {
        ask(method, [:], purpose)
    }
}

extension ConsoleModel {
    /// A request could not be sent: there is no core.
    package mutating func unsent(_ request: ConsoleRequest) {
        switch request.purpose {
        case .exit: finish(exitPlan?.unanswered)
        case .microphone: microphoneWish = nil
        case .chat(let prompt): chatRefused(prompt, "the core is lost")
        case .typed(let line): say("\(line): the core is lost", .error)
        case .setting(_, let prompt): refusedSetting(prompt, "the core is lost")
        case .plain, .talk, .quiet, .devices, .state, .source, .settings, .invite, .invites, .revoke: break
        }
    }

    /// Something about this console that its user should know.
    package mutating func warn(_ text: String) {
        say(text, .warning)
    }
}
