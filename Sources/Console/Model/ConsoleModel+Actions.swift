import ControlProtocol

/// What keys and typed verbs do.
extension ConsoleModel {
    /// Mutes, or unmutes what is muted or about to be: what the key's label says.
    mutating func toggleMute() {
        setMuted(!isMutedOrAboutTo)
    }

    var isMutedOrAboutTo: Bool {
        switch microphoneWish {
        case .mute: true
        case .unmute: false
        default: state.audio.isMuted
        }
    }

    mutating func setMuted(_ muted: Bool) {
        microphoneWish = muted ? .mute : .unmute
        ask("audio.mute", ["on": .bool(muted)], .microphone)
    }

    var isClosedOrAboutTo: Bool {
        switch microphoneWish {
        case .close: true
        case .open: false
        default: state.audio.isClosed
        }
    }

    mutating func setClosed(_ closed: Bool) {
        microphoneWish = closed ? .close : .open
        ask("audio.close", ["on": .bool(closed)], .microphone)
    }

    mutating func setVideoMuted(_ muted: Bool) {
        ask("video.mute", ["on": .bool(muted)], .plain("no picture"))
    }

    mutating func setCameraClosed(_ closed: Bool) {
        ask("video.close", ["on": .bool(closed)], .plain("the camera stays as it is"))
    }

    mutating func nextSource() {
        ask("video.select", [:], .source("no other picture"))
    }

    /// What was chosen is not shown by that alone.
    mutating func chose(source: String?) {
        guard let source, state.video.isMuted, !isPreviewing else { return }
        let (video, preview) = (keys.key(of: "video"), keys.key(of: "preview"))
        let next = call == nil ? "\(preview) shows it here" : "\(video) shows it, \(preview) only here"
        say(source == "none" ? "no picture is chosen" : "\(source) is chosen; \(next)")
    }

    mutating func setHidden(_ person: Participant, _ hidden: Bool) {
        ask(
            "participant.hide", ["participant": .string(person.id), "on": .bool(hidden)],
            .plain("cannot hide \(person.name)"))
    }

    mutating func setPrioritized(_ person: Participant, _ prioritized: Bool) {
        ask(
            "participant.prioritize", ["participant": .string(person.id), "on": .bool(prioritized)],
            .plain("cannot prefer \(person.name)"))
    }

    mutating func setHeld(_ held: Bool) {
        ask("call.hold", ["on": .bool(held)], .plain("cannot hold"))
    }

    mutating func setRecording(_ recording: Bool) {
        ask("call.record", ["on": .bool(recording)], .plain("cannot record"))
    }

    mutating func setDeafened(_ deafened: Bool) {
        ask("audio.deafen", ["on": .bool(deafened)], .plain("cannot deafen"))
    }

    mutating func setRoute(_ route: Route.Kind) {
        ask("audio.route", ["route": .string(route.rawValue)], .plain("cannot switch the route"))
    }

    mutating func setSilenced(_ person: Participant, _ silenced: Bool) {
        ask(
            "participant.silence", ["participant": .string(person.id), "on": .bool(silenced)],
            .plain("cannot silence \(person.name)"))
    }

    mutating func setEveryoneSilenced(_ silenced: Bool) {
        ask("participants.silence", ["on": .bool(silenced)], .plain("cannot silence everyone"))
    }

    /// Whether people who join later begin silenced; who is there is not touched (A23.1).
    mutating func setJoinersSilenced(_ silenced: Bool) {
        ask("participants.silence", ["joiners": .bool(silenced)], .plain("cannot silence joiners"))
    }

    /// Changes the volume of everybody (A19.1) by about one decibel.
    mutating func stepAll(louder: Bool) {
        let percent = Self.step(state.audio.volumePercent, louder: louder)
        ask("audio.volume", ["percent": .integer(percent)], .plain("cannot change the volume"))
    }

    /// Changes the volume of the selected person, or the gain of the own microphone, by about one decibel.
    mutating func step(louder: Bool) {
        if let person = selectedPerson {
            let percent = Self.step(person.volumePercent, louder: louder)
            ask(
                "participant.volume", ["participant": .string(person.id), "percent": .integer(percent)],
                .plain("cannot change the volume"))
        } else {
            let percent = Self.step(state.audio.gainPercent, louder: louder)
            ask("audio.gain", ["percent": .integer(percent)], .plain("cannot change the gain"))
        }
    }

    /// Decibel steps in per cent.
    static let volumeSteps = [
        0, 10, 13, 16, 20, 25, 32, 40, 50, 56, 63, 71, 79, 89, 100, 112, 126, 141, 158, 178, 200, 224, 251, 282, 316,
        355, 400,
    ]

    static func step(_ percent: Int, louder: Bool) -> Int {
        (louder ? volumeSteps.first { $0 > percent } : volumeSteps.last { $0 < percent }) ?? percent
    }

    /// Selects the row `offset` further on.
    mutating func moveSelection(_ offset: Int) {
        if call == nil {
            homeSelection = max(0, min(state.recentRooms.count - 1, homeSelection + offset))
            return
        }
        guard let selectionIndex else { return }
        selectedID = shownRows[max(0, min(shownRows.count - 1, selectionIndex + offset))]
    }

    /// Selects row `number`, from 1; on the home screen a room.
    mutating func select(number: Int) {
        if call == nil {
            if state.recentRooms.indices.contains(number - 1) { homeSelection = number - 1 }
        } else if shownRows.indices.contains(number - 1) {
            selectedID = shownRows[number - 1]
        }
    }

    /// Gives the devices to call `number`, from 1.
    mutating func activate(number: Int) {
        guard calls.indices.contains(number - 1) else { return say("there is no call \(number)", .warning) }
        ask("call.activate", ["call": .string(calls[number - 1].id)], .plain("cannot switch calls"))
    }

    mutating func joinSelectedRoom() {
        guard state.recentRooms.indices.contains(homeSelection) else { return }
        let room = state.recentRooms.addresses[homeSelection]
        ask("call.join", ["what": .string(room)], .plain("cannot join \(room)"))
    }

    mutating func setVerified(_ person: Participant, _ verified: Bool) {
        ask(
            "participant.verify", ["participant": .string(person.id), "verified": .bool(verified)],
            .plain("cannot mark \(person.name)"))
    }

    /// The home screen shows the microphone's level, for which the microphone has to be open; nothing else needs it so.
    mutating func askForMeter() {
        let isWanted = hasMeters && link == .attached && hasState && call == nil && !isAway
        guard isWanted != showsMeter else { return }
        showsMeter = isWanted
        ask("audio.meter", ["on": .bool(isWanted)], .quiet)
    }

    /// Stops this console as a job: nobody looks at it meanwhile.
    mutating func suspend() {
        isAway = true
        endHeldTalk()
        endPreview()
        askForMeter()
        effects.append(.suspend)
    }

    /// The console is back from having been stopped.
    package mutating func returned() {
        isAway = false
        askForMeter()
    }

    mutating func openDevices(from origin: SettingsPage? = nil) {
        overlay = .devices(DevicePicker(from: origin))
        ask("audio.devices", [:], .devices)
    }

    /// Leaves the devices for what was there before.
    mutating func leave(_ picker: DevicePicker) {
        overlay = picker.origin.map { .settings($0) }
        if picker.origin != nil { ask("settings.list", [:], .settings) }
    }

    mutating func quit() {
        if call == nil {
            exit(.detach)
        } else {
            overlay = .quit
        }
    }
}
