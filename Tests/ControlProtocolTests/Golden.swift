import ControlProtocol

func exampleState() -> CoreState {
    var state = CoreState()
    state.core.version = "1.0"
    state.core.pid = 7
    state.core.host = "pi"
    state.core.startedAt = 1
    state.audio.microphone = .live
    state.audio.input = DeviceInUse(name: "in", description: "Mic", standsInFor: "usb", latencyMs: 10)
    state.audio.warnings = [.zeroVolume]
    var call = CallState(
        id: "c", room: "standup", host: "pi", role: .host, phase: .connected, myId: "m", myName: "you")
    var person = Participant(id: "p", name: "dee")
    person.path = "host → host udp"
    call.people["p"] = person
    call.order = ["p"]
    call.ringing["chi"] = .ringing
    call.chat["7"] = ChatMessage(time: 5, from: "p", name: "dee", text: "one\ntwo", to: nil)
    call.chat["8"] = ChatMessage(time: 6, from: "m", name: "you", text: "three", to: ["p"])
    state.calls["c"] = call
    state.activeCall = "c"
    state.waiting["ops"] = WaitingState(name: "you", host: "pi", isConnected: true)
    state.recentRooms = [RecentRoom(name: "standup", host: "pi", lastJoinedAt: 1, isSaved: false)]
    state.problems = [Problem(code: "audio.server", text: "no sound server", command: "apt install pulseaudio")]
    return state
}

func exampleLevels() -> LevelsUpdate {
    var levels = LevelsUpdate()
    levels.microphone = -41
    levels.people = ["p": -18]
    levels.speaking = "p"
    return levels
}

func exampleStatistics() -> StatisticsUpdate {
    var received = StreamFigures()
    received.lostCount = 412
    received.lossPercent = 7.5
    received.lossHistory = [-1, 0, 7.5]
    received.codec = "opus"
    var figures = ParticipantFigures()
    figures.received = received
    figures.roundTripMs = 61
    var statistics = StatisticsUpdate()
    statistics.people = ["p": figures]
    statistics.lossMatrix = ["p": ["me": 7.5]]
    statistics.verdict = "dee's uplink loses 8%: all hear it"
    statistics.reached = 1
    statistics.reachable = 1
    return statistics
}

enum Golden {
    static let state =
        #"""
        {"jsonrpc":"2.0","method":"state","params":{"revision":3,"state":{"activeCall":"c","audio":{"gainPercent"\#
        :100,"input":{"description":"Mic","latencyMs":10,"name":"in","standsInFor":"usb"},"isClosed":false,"isDea\#
        fened":false,"isEveryoneSilenced":false,"isMuted":false,"microphone":"live","processing":{"cancelsEcho":f\#
        alse,"controlsGain":false,"suppressesNoise":false},"route":{"canSwitch":false,"current":"speaker"},"serve\#
        r":{"isConnected":false,"name":""},"silencesJoiners":false,"volumePercent":100,"warnings":["zeroVolume"]}\#
        ,"calls":{"c":{"chat":{"7":{"from":"p","name":"dee","text":"one\ntwo","time":5},"8":{"from":"m","name":"y\#
        ou","text":"three","time":6,"to":["p"]}},"host":"pi","id":"c","isHeld":false,"myId":"m","myName":"you","o\#
        rder":["p"],"people":{"p":{"canChat":false,"id":"p","isHolding":false,"isHost":false,"isMuted":false,"isR\#
        elayed":false,"isSilenced":false,"isVerified":false,"link":"connecting","name":"dee","path":"host → host \#
        udp","volumePercent":100}},"phase":"connected","ringing":{"chi":"ringing"},"role":"host","room":"standup"\#
        }},"core":{"consoles":0,"host":"pi","onDetach":"keep","onLost":"keep","pid":7,"protocolVersion":3,"starte\#
        dAt":1,"version":"1.0"},"problems":[{"code":"audio.server","command":"apt install pulseaudio","text":"no \#
        sound server"}],"recentRooms":[{"host":"pi","isSaved":false,"lastJoinedAt":1,"name":"standup"}],\#
        "video":{"camera":"none","droppedCaptures":0,"hidesJoiners":false,"isClosed":false,"isEveryoneHidden":fal\#
        se,"isMuted":true,"isPreviewing":false},"waiting":{"ops":{"host":"pi","isConnected":true,"name":"you"}}}}}
        """#
    static let patch = #"{"jsonrpc":"2.0","method":"patch","params":{"patch":{"activeCall":null},"revision":4}}"#
    static let levels =
        #"{"jsonrpc":"2.0","method":"levels","params":{"microphone":-41,"people":{"p":-18},"speaking":"p"}}"#
    static let statistics =
        #"""
        {"jsonrpc":"2.0","method":"statistics","params":{"box":{"lateTicks":0,"socketDrops":0,"underruns":0},"los\#
        sMatrix":{"p":{"me":7.5}},"people":{"p":{"received":{"codec":"opus","lossHistory":[-1,0,7.5],"lossPercent\#
        ":7.5,"lostCount":412},"roundTripMs":61}},"reachable":1,"reached":1,"verdict":"dee's uplink loses 8%: all\#
         hear it"}}
        """#
    static let event =
        #"""
        {"jsonrpc":"2.0","method":"event","params":{"call":"c","kind":"memberMuted","participant":"p","text":"dee\#
         muted","time":5}}
        """#
    static let chat =
        #"""
        {"jsonrpc":"2.0","method":"event","params":{"call":"c","kind":"chat","message":"one\ntwo","participant":"\#
        p","text":"dee: one two","time":5}}
        """#
    static let methods = """
        core.hello! protocol [version]
        core.state!
        core.subscribe [console] [levels] [statistics] [pulseServer] [display]
        core.detach
        core.shutdown!
        room.host [room] [listen] [certificate] [key] [publicAddress] [publicUrl] [lobby] [name] [muted] [input] [output]
        room.wait room [name] [on]
        room.ring [call] names
        room.close [call] [room]
        room.invite [call] [role] [uses] [expires]
        room.invites [call]
        room.revoke [call] invite [remove]
        room.kick [call] participant [reason]
        room.admit [call] participant
        room.decline [call] participant [reason]
        room.renew [call] [participant] [expires] [link]
        call.join what [name] [muted] [input] [output]
        call.answer [call]
        call.reject [call]
        call.leave! [call] [keepRoom]
        call.hold [call] [on]
        call.record [on] [file]
        call.activate [call]
        chat.send [call] text [to]
        audio.mute! [on]
        audio.close [on]
        audio.talk [on] [seconds]
        audio.meter on
        audio.deafen [on]
        audio.gain percent
        audio.volume percent
        audio.route [route]
        audio.devices
        audio.select [input] [output]
        video.mute [on]
        video.close [on]
        video.sources
        video.select [source]
        video.type text
        video.preview [on]
        video.show pictures
        participant.hide [call] participant [on]
        participant.layer [call] participant layer
        participant.prioritize [call] participant [on]
        participants.hide [call] [on] [joiners]
        participant.silence [call] participant [on]
        participant.volume [call] participant percent
        participant.verify [call] participant [verified]
        participants.silence [call] [on] [joiners]
        stats.get [call] [participant]
        stats.text [call] [participant]
        stats.history [call] [participant] [since]
        call.note [call] text
        settings.list
        settings.get [name]
        settings.set name value
        """
}
