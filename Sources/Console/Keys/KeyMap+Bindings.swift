import ControlProtocol
import Terminal

/// The default bindings. A capital letter is the same thing, harder, so that Caps Lock never unmutes.
extension KeyMap {
    static let microphoneBindings: [KeyBinding] = [
        KeyBinding(
            "mute", [Key("m")], .microphone, in: .call, "mute or unmute the microphone; muted, it sends nothing",
            line: 1, label: { $0.isMutedOrAboutTo ? "unmute" : "mute" }, reason: needsCore
        ) { model, _ in model.toggleMute() },
        KeyBinding(
            "talk", [Key(" ")], .microphone, in: .push,
            "talk while it is held, where the terminal tells when it is let go; else talk, and again to talk no more",
            line: 1, label: talkLabel, reason: { needsAttachment($0) ?? $0.whyNoTalk }
        ) { model, key in model.pushToTalk(key) },
        KeyBinding(
            "close", [Key("M")], .microphone, "close the microphone: the device is released; again opens it", line: 2,
            label: { $0.isClosedOrAboutTo ? "open mic" : "close mic" }, reason: needsAttachment
        ) { model, _ in model.setClosed(!model.isClosedOrAboutTo) },
    ]

    static let soundBindings: [KeyBinding] = [
        KeyBinding(
            "route", [Key("r")], .sound, in: .call, "play by the private receiver (headset) or by the loud speaker",
            line: 1, label: { $0.state.audio.route.current == .speaker ? "to receiver" : "to speaker" },
            reason: { model in
                let route = model.state.audio.route
                return needsAttachment(model) ?? (route.canSwitch ? nil : route.note ?? "there is one output only")
            }
        ) { model, _ in model.setRoute(model.state.audio.route.current == .speaker ? .receiver : .speaker) },
        KeyBinding(
            "deafen", [Key("d")], .sound, in: .call, "hear nobody; again hears everybody", line: 1,
            label: { $0.state.audio.isDeafened ? "hear all" : "deafen" }, reason: needsAttachment
        ) { model, _ in model.setDeafened(!model.state.audio.isDeafened) },
        KeyBinding(
            "louder", [Key("+"), Key("=")], .sound, in: .call,
            "the selected person louder, in my ears; on myself: the gain",
            line: 1, label: { "/- " + volumeLabel($0) }, reason: needsAttachment
        ) { model, _ in model.step(louder: true) },
        KeyBinding(
            "softer", [Key("-")], .sound, in: .call, "the selected person softer", reason: needsAttachment
        ) { model, _ in model.step(louder: false) },
        KeyBinding(
            "all-louder", [Key(">")], .sound, in: .call, "everybody louder, in my ears", line: 1,
            label: { "/< all \($0.state.audio.volumePercent)%" }, reason: needsAttachment
        ) { model, _ in model.stepAll(louder: true) },
        KeyBinding(
            "all-softer", [Key("<")], .sound, in: .call, "everybody softer; at 0% nobody is heard",
            reason: needsAttachment
        ) { model, _ in model.stepAll(louder: false) },
        KeyBinding(
            "devices", [Key("p")], .sound, "pick the microphone and the speaker", line: 2, reason: needsAttachment
        ) { model, _ in model.openDevices() },
    ]

    static let peopleBindings: [KeyBinding] = [
        KeyBinding(
            "silence", [Key("s")], .people, in: .call, "silence the selected person, in my ears only; again hears them",
            line: 1,
            label: { model in
                guard let person = model.selectedPerson else { return "silence" }
                return (person.isSilenced ? "hear " : "silence ") + person.name
            },
            reason: { model in
                let all = model.keys.key(of: "silence-all")
                return needsPerson(model)
                    ?? (model.state.audio.isEveryoneSilenced ? "everyone is silenced; \(all) hears them again" : nil)
            }
        ) { model, _ in
            if let person = model.selectedPerson { model.setSilenced(person, !person.isSilenced) }
        },
        KeyBinding(
            "silence-all", [Key("S")], .people, in: .call, "silence everyone; again hears them", line: 2,
            label: { $0.state.audio.isEveryoneSilenced ? "hear everyone" : "silence everyone" }, reason: needsAttachment
        ) { model, _ in model.setEveryoneSilenced(!model.state.audio.isEveryoneSilenced) },
        KeyBinding(
            "silence-joiners", [Key("s", .alt)], .people, in: .call,
            "silence whoever joins from now on; again hears those who join later", line: 2,
            label: { $0.state.audio.silencesJoiners ? "hear joiners" : "silence joiners" }, reason: needsAttachment
        ) { model, _ in model.setJoinersSilenced(!model.state.audio.silencesJoiners) },
        KeyBinding(
            "select", (1...9).map { Key(Character(String($0))) }, .people, "select a person, or a room when in no call",
            line: 1, keysText: "1-9",
            reason: { $0.call == nil && $0.state.recentRooms.isEmpty ? "there is no room yet" : nil }
        ) { model, key in
            if case .character(let digit) = key.code, let number = digit.wholeNumberValue {
                model.select(number: number)
            }
        },
        KeyBinding("down", [Key("j"), Key(.down)], .people, "select the next one") { model, _ in model.moveSelection(1)
        },
        KeyBinding("up", [Key("k"), Key(.up)], .people, "select the one before") { model, _ in model.moveSelection(-1)
        },
        KeyBinding("page-down", [Key(.pageDown)], .people, "select one a screen further down") { model, _ in
            model.moveSelection(model.size.rows / 2)
        },
        KeyBinding("page-up", [Key(.pageUp)], .people, "select one a screen further up") { model, _ in
            model.moveSelection(-model.size.rows / 2)
        },
        KeyBinding("first", [Key(.home)], .people, "select the first one") { model, _ in model.moveSelection(-1_000_000)
        },
        KeyBinding("last", [Key(.end)], .people, "select the last one") { model, _ in model.moveSelection(1_000_000) },
        KeyBinding(
            "kick", [Key("X")], .people, in: .call, "host: kick the selected person out of the room, asked once more",
            reason: { needsPerson($0) ?? whyNoKick($0) }
        ) { model, _ in
            if let person = model.selectedPerson {
                model.overlay = .question(.kick(id: person.id, name: person.name))
            }
        },
        KeyBinding(
            "verify", [Key("y")], .people, in: .call,
            "mark the selected person's code as compared and equal; again takes the mark away",
            label: { $0.selectedPerson?.isVerified == true ? "unverify" : "verify" },
            reason: { model in
                needsPerson(model)
                    ?? (model.selectedPerson?.authenticationString == nil ? "there is no code to compare yet" : nil)
            }
        ) { model, _ in
            if let person = model.selectedPerson { model.setVerified(person, !person.isVerified) }
        },
    ]

    static let videoBindings: [KeyBinding] = [
        KeyBinding(
            "video", [Key("v")], .video, in: .call, "show the others your picture, or show it no more", line: 1,
            label: { $0.state.video.isMuted || $0.state.video.isClosed ? "video" : "video off" },
            reason: { needsAttachment($0) ?? needsSource($0) }
        ) { model, _ in model.setVideoMuted(!(model.state.video.isMuted || model.state.video.isClosed)) },
        KeyBinding(
            "close-camera", [Key("V")], .video, "close the camera: the device is released; again opens it", line: 2,
            label: { $0.state.video.isClosed ? "open camera" : "close camera" },
            reason: { needsAttachment($0) ?? needsSource($0) }
        ) { model, _ in model.setCameraClosed(!model.state.video.isClosed) },
        KeyBinding(
            "preview", [Key("v", .alt)], .video,
            "see your own picture here, in a call or not, whether the others see it or not; again ends that", line: 1,
            label: { $0.isPreviewing ? "end preview" : "preview" },
            reason: { needsAttachment($0) ?? ($0.isPreviewing ? nil : needsSource($0)) }
        ) { model, _ in model.setPreviewing(!model.isPreviewing) },
        KeyBinding(
            "source", [Key("c")], .video, "the next camera or test picture, or none", label: { _ in "next picture" },
            reason: needsAttachment
        ) { model, _ in model.nextSource() },
        KeyBinding(
            "show", [Key("C")], .video, "show a terminal, a file or a camera that you name",
            label: { _ in "share" }, reason: needsAttachment
        ) { model, _ in model.overlay = .text(TextPrompt(.show)) },
        KeyBinding(
            "type", [Key("K")], .video, in: .call, "type a line into the terminal that you share",
            label: { _ in "type" },
            reason: { model in
                let isText = model.state.video.source?.isText == true
                let share = model.keys.key(of: "show")
                return needsAttachment(model) ?? (isText ? nil : "no terminal is shared; \(share) shares one")
            }
        ) { model, _ in model.overlay = .text(TextPrompt(.type)) },
        KeyBinding(
            "prioritize", [Key("F")], .video, in: .call,
            "put the selected person's picture before everybody else's where the network cannot carry all; again none",
            label: { model in
                guard let person = model.selectedPerson else { return "prefer" }
                return person.isPrioritized == true ? "prefer nobody" : "prefer \(person.name)"
            }, reason: needsPerson
        ) { model, _ in
            if let person = model.selectedPerson { model.setPrioritized(person, person.isPrioritized != true) }
        },
        KeyBinding(
            "hide", [Key("H")], .people, in: .call, "do not receive the selected person's picture; again receives it",
            label: { model in
                guard let person = model.selectedPerson else { return "hide" }
                return (person.isHidden == true ? "look at " : "hide ") + person.name
            }, reason: needsPerson
        ) { model, _ in
            if let person = model.selectedPerson { model.setHidden(person, person.isHidden != true) }
        },
        KeyBinding(
            "pin", [Key("f")], .video, in: .call,
            "keep the selected person on the stage; again it follows whoever speaks",
            label: { model in
                let isPinned = model.stage.pinnedID == model.selection
                return isPinned ? "follow who speaks" : "pin \(model.selection.map(model.name) ?? "")"
            }, reason: needsPictures
        ) { model, _ in model.togglePin() },
        KeyBinding(
            "grid", [Key("g")], .video, in: .call, "show everybody's picture; again shows one",
            label: { $0.stage.isGrid ? "one picture" : "all pictures" }, reason: needsPictures
        ) { model, _ in model.toggleGrid() },
    ]

    static let callBindings: [KeyBinding] = [
        KeyBinding(
            "answer", [Key("a")], .call, in: .asked, "answer who rings; let in who knocks",
            label: { if case .knock = $0.asking { "admit" } else { "answer" } }, reason: needsAttachment
        ) { model, _ in model.answer() },
        KeyBinding(
            "reject", [Key("x")], .call, in: .asked, "reject who rings; decline who knocks",
            label: { if case .knock = $0.asking { "decline" } else { "reject" } }, reason: needsAttachment
        ) { model, _ in model.reject() },
        KeyBinding(
            "hold", [Key("h")], .call, in: .call, "hold the call, both directions; again resumes it", line: 1,
            label: { $0.call?.isHeld == true ? "resume" : "hold" }, reason: needsAttachment
        ) { model, _ in model.setHeld(model.call?.isHeld != true) },
        KeyBinding(
            "record", [Key("R")], .call, in: .call,
            "record the call in a file, of which everybody is told; again ends it",
            line: 2, label: { $0.call?.recording == nil ? "record" : "end recording" }, reason: needsAttachment
        ) { model, _ in model.setRecording(model.call?.recording == nil) },
        KeyBinding(
            "invite", [Key("i")], .call, in: .call,
            "show the link that invites others and its QR code, and copy it; make and withdraw invites", line: 2,
            reason: { $0.links.isEmpty ? "the room's host has the link" : nil }
        ) { model, _ in model.openInvites() },
        KeyBinding(
            "chat", [Key("t")], .call, in: .call, "write to everybody in the call", line: 2,
            reason: { model in
                let canChat = model.call?.people.values.contains { $0.canChat } == true
                return needsAttachment(model) ?? (canChat ? nil : "nobody here can read it")
            }
        ) { model, _ in model.overlay = .text(TextPrompt(.chat)) },
        KeyBinding(
            "tell", [Key("T")], .call, in: .call, "write to the selected person alone",
            label: { model in model.selectedPerson.map { "tell \($0.name)" } ?? "tell one" },
            reason: { model in
                needsPerson(model) ?? (model.selectedPerson?.canChat == true ? nil : "that one cannot read it")
            }
        ) { model, _ in
            if let person = model.selectedPerson {
                model.overlay = .text(TextPrompt(.tell(id: person.id, name: person.name)))
            }
        },
        KeyBinding(
            "note", [Key("n")], .call, in: .call, "mark this moment in the call's figures, with a word",
            reason: needsAttachment
        ) { model, _ in model.overlay = .text(TextPrompt(.note)) },
        KeyBinding(
            "renew", [Key("u")], .call, in: .call,
            "ask the room's hosts for more time; as a host: give it to the selected person who asks", reason: needsTime
        ) { model, _ in model.renew() },
        KeyBinding(
            "ring", [Key("b")], .call, in: .call, "ring people who wait in the room", line: 2, reason: needsAttachment
        ) { model, _ in model.openRing() },
        KeyBinding(
            "join-selected", [Key(.enter)], .call, in: .home, "join the selected room", line: 1, label: { _ in "join" },
            reason: { needsAttachment($0) ?? ($0.state.recentRooms.isEmpty ? "there is no room yet" : nil) }
        ) { model, _ in model.joinSelectedRoom() },
        KeyBinding(
            "join", [Key("l")], .call, "join by a link", line: 2, label: { _ in "join a link" }, reason: needsAttachment
        ) { model, _ in model.overlay = .text(TextPrompt(.join)) },
        KeyBinding(
            "host", [Key("o")], .call, in: .home, "open a room here and join it", line: 1,
            label: { _ in "open a room" },
            reason: needsAttachment
        ) { model, _ in model.overlay = .text(TextPrompt(.host)) },
        KeyBinding(
            "wait", [Key("w")], .call, in: .home, "wait in a room: others can ring you there", line: 1,
            reason: needsAttachment
        ) { model, _ in model.overlay = .text(TextPrompt(.wait)) },
        KeyBinding(
            "switch", (1...9).map { Key(Character(String($0)), .alt) }, .call, in: .call,
            "switch to that call and hold the others", keysText: "A-1-9", reason: needsAttachment
        ) { model, key in
            if case .character(let digit) = key.code, let number = digit.wholeNumberValue {
                model.activate(number: number)
            }
        },
    ]

    static let panelBindings: [KeyBinding] = [
        KeyBinding(
            "focus-next", [Key(.tab)], .panels, in: .call, "choose the next panel", label: { _ in "next panel" }
        ) { model, _ in model.moveFocus(back: false) },
        KeyBinding(
            "focus-previous", [Key(.tab, .shift)], .panels, in: .call, "choose the panel before",
            label: { _ in "panel before" }
        ) { model, _ in model.moveFocus(back: true) },
        KeyBinding(
            "zoom", [Key("z")], .panels, in: .call,
            "give the chosen panel the room of the others; again gives it back. Unchosen, it is the stage with pictures",
            label: { $0.isZoomed ? "all panels" : "only \($0.focus.rawValue)" }
        ) { model, _ in model.toggleZoom() },
        KeyBinding(
            "losses", [Key("L")], .panels, in: .call,
            "show the losses in one line, in a row for each person, or all about the selected one",
            label: { _ in "losses" }, reason: needsOthers
        ) { model, _ in model.lossDetail = model.lossDetail.next },
        KeyBinding(
            "filter", [Key("/")], .panels, in: .call, "show only the people whose name has what is typed then",
            label: { _ in "filter" }, reason: needsOthers
        ) { model, _ in model.overlay = .text(TextPrompt(.filter)) },
        KeyBinding(
            "let-go", [Key(.escape)], .panels, in: .call,
            "let go of the filter, then of the selected person, then of the panel",
            label: { _ in "let go" }
        ) { model, _ in model.letGo() },
    ]

    static let consoleBindings: [KeyBinding] = [
        KeyBinding("messages", [Key("e")], .console, "show earlier messages") { model, _ in
            model.unreadChat = 0
            model.overlay = .messages(scroll: 0)
        },
        KeyBinding(
            "settings", [Key("P")], .console,
            "show and change the settings: your name, devices, theme, intervals and all else of hoot.conf", line: 2,
            reason: needsAttachment
        ) { model, _ in model.openSettings() },
        KeyBinding(
            "command", [Key(":")], .console,
            "type a command: a verb, a method of the socket or the name of what a key does; tab completes it"
        ) { model, _ in model.openCommandLine() },
        KeyBinding("help", [Key("?"), Key(.function(1))], .console, "show every key", line: 2) { model, _ in
            model.overlay = .help(scroll: 0)
        },
        KeyBinding(
            "quit", [Key("q"), Key("c", .control)], .console,
            "in a call: leave, or detach and let it go on; else end this console", line: 2,
            label: { $0.call == nil ? "quit" : "leave or detach…" }
        ) { model, _ in model.quit() },
        KeyBinding("detach", [], .console, in: .call, "end this console at once; the call goes on") { model, _ in
            model.exit(.detach)
        },
        KeyBinding("hang-up", [], .console, in: .call, "leave the call and end this console at once") { model, _ in
            model.exit(.leave)
        },
        KeyBinding("redraw", [Key("l", .control)], .console, "draw the screen again") { model, _ in
            model.effects.append(.redraw)
        },
        KeyBinding("suspend", [Key("z", .control)], .console, "stop this console as a job; fg brings it back") {
            model, _ in model.suspend()
        },
    ]

    /// Frozen methods work with a core of any version.
    @Sendable private static func needsCore(_ model: ConsoleModel) -> String? {
        switch model.link {
        case .attached, .frozen: nil
        case .connecting: "the core has not answered yet"
        case .lost: "the core is lost"
        }
    }

    @Sendable private static func needsAttachment(_ model: ConsoleModel) -> String? {
        needsCore(model) ?? (model.link == .frozen ? "the core is of another version" : nil)
    }

    @Sendable private static func needsPerson(_ model: ConsoleModel) -> String? {
        needsAttachment(model) ?? (model.selectedPerson == nil ? "select somebody else" : nil)
    }

    private static func whyNoKick(_ model: ConsoleModel) -> String? {
        guard model.call?.role == .host else { return "only a host kicks people" }
        guard let person = model.selectedPerson, person.serves == true else { return nil }
        return "\(person.name) serves the room and stays"
    }

    @Sendable private static func needsOthers(_ model: ConsoleModel) -> String? {
        model.rows.count > 1 ? nil : "nobody else is here"
    }

    @Sendable private static func needsSource(_ model: ConsoleModel) -> String? {
        guard model.state.video.source == nil else { return nil }
        let (next, share) = (model.keys.key(of: "source"), model.keys.key(of: "show"))
        return "no camera; \(next) chooses a test picture, \(share) a terminal or a file"
    }

    @Sendable private static func needsPictures(_ model: ConsoleModel) -> String? {
        needsCore(model) ?? (model.showingIDs.isEmpty ? "nobody shows a picture" : nil)
    }

    @Sendable private static func needsTime(_ model: ConsoleModel) -> String? {
        if let reason = needsAttachment(model) { return reason }
        if model.call?.role == .host, let person = model.selectedPerson {
            return person.wantsTime == true ? nil : "\(person.name) has not asked for more time"
        }
        return model.call?.expiresAt == nil ? "your time here has no end" : nil
    }

    @Sendable private static func talkLabel(_ model: ConsoleModel) -> String {
        if model.tellsRelease(of: model.talkKey) { return model.heldTalkKey == nil ? "hold to talk" : "let go to stop" }
        return model.state.audio.isTalking == true ? "stop talking" : "talk"
    }

    private static func volumeLabel(_ model: ConsoleModel) -> String {
        if let person = model.selectedPerson { return "\(person.name) \(person.volumePercent)%" }
        return "gain \(model.state.audio.gainPercent)%"
    }
}
