/// One method of the socket: its name, what it does and what it takes.
package struct Method: Hashable, Sendable {
    package var name: String
    /// One line for `hoot ctl --help` and the documentation.
    package var summary: String
    package var parameters: [Parameter]
    /// Whether the method is offered to every version of console for ever.
    package var isFrozen: Bool

    init(_ name: String, _ summary: String, _ parameters: [Parameter] = [], isFrozen: Bool = false) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.isFrozen = isFrozen
    }

    /// The method called `name`.
    package static func named(_ name: String) -> Method? {
        all.first { $0.name == name }
    }

    /// Every method, in the order in which the documentation lists them.
    package static let all: [Method] =
        coreMethods + roomMethods + inviteMethods + callMethods + chatMethods + audioMethods + videoMethods
        + peopleMethods
        + otherMethods
}

private let call = Parameter("call", .string, "which call; the active one when left out")
private let on = Parameter("on", .toggle, "on, off or toggle (toggle when left out)")
private let participant = Parameter("participant", .string, isRequired: true, "a participant's id or name")
private let knocker = Parameter("participant", .string, isRequired: true, "who knocks, by id or name")
private let reason = Parameter("reason", .string, "a word for them")
private let lifetime = Parameter.Kind.integer(1...315_360_000)
private let percent = Parameter("percent", .integer(0...400), isRequired: true, "100 leaves it as it is")
private let joining: [Parameter] = [
    Parameter("name", .string, "the name that others see"),
    Parameter("muted", .boolean, "whether the microphone starts muted"),
    Parameter("input", .string, "the microphone: a device name, or “default”"),
    Parameter("output", .string, "the speaker: a device name, or “default”"),
]

extension Method {
    private static let coreMethods = [
        Method(
            "core.hello", "exchange versions; the first request of a console",
            [
                Parameter("protocol", .integer(1...Int(Int32.max)), isRequired: true, "the console's protocol version"),
                Parameter("version", .string, "the console's version"),
            ], isFrozen: true),
        Method("core.state", "the whole state", isFrozen: true),
        Method(
            "core.subscribe", "receive `state`, `event`, and as wished `levels` and `statistics` from now on",
            [
                Parameter("console", .boolean, "whether a person sits there: counts for on-detach and on-lost"),
                Parameter("levels", .boolean, "whether levels are wanted (true when left out)"),
                Parameter("statistics", .boolean, "whether statistics are wanted (true when left out)"),
                Parameter("pulseServer", .string, "the console's sound server, offered to the core"),
                Parameter("display", .string, "the console's X display, for what the core starts from now on"),
            ]),
        Method("core.detach", "say that this console leaves on purpose, so that on-detach and not on-lost applies"),
        Method("core.shutdown", "end every call and stop the core", isFrozen: true),
    ]

    private static let roomMethods = [
        Method(
            "room.host", "serve a room and join it; gives its links",
            [
                Parameter("room", .string, "the room's name; one is made when left out"),
                Parameter("listen", .string, "ADDRESS:PORT to listen on"),
                Parameter("certificate", .string, "a PEM file; self-signed when left out"),
                Parameter("key", .string, "the certificate's private key, a PEM file"),
                Parameter("publicAddress", .string, "the address that others reach this machine by"),
                Parameter("publicUrl", .string, "https://HOST of a reverse proxy, which links name then"),
                Parameter("lobby", .boolean, "whether who is no host has to knock first"),
            ] + joining),
        Method(
            "room.wait", "be reachable in a room without joining it",
            [
                Parameter("room", .string, isRequired: true, "a link or the name of a saved room"),
                Parameter("name", .string, "the name that others ring"),
                Parameter("on", .boolean, "false: stop waiting"),
            ]),
        Method(
            "room.ring", "ring people who wait in the room of a call",
            [call, Parameter("names", .strings, isRequired: true, "whom to ring")]),
        Method(
            "room.close", "close a hosted room for everyone, also one that was left open",
            [call, Parameter("room", .string, "a room that is open here, by name")]),
    ]

    private static let inviteMethods = [
        Method(
            "room.invite", "give out an invite to a hosted room; gives its links",
            [
                call, Parameter("role", .choice(["guest", "host", "listener"]), "guest when left out"),
                Parameter("uses", .integer(0...1), "1: for one person; 0 or left out: for any number"),
                Parameter("expires", lifetime, "seconds until it is void; never when left out"),
            ]),
        Method("room.invites", "the invites of a hosted room, without their secrets", [call]),
        Method(
            "room.revoke", "withdraw an invite to a hosted room",
            [
                call, Parameter("invite", .integer(1...Int(Int32.max)), isRequired: true, "its number"),
                Parameter("remove", .boolean, "whether those who came in by it have to go"),
            ]),
        Method(
            "room.kick", "host: remove a member, who may not come back by the same invite", [call, participant, reason]),
        Method("room.admit", "host: let in somebody who knocks", [call, knocker]),
        Method("room.decline", "host: turn away somebody who knocks", [call, knocker, reason]),
        Method(
            "room.renew", "stay longer: by a new link, or by asking the hosts; host: let a member stay longer",
            [
                call, Parameter("participant", .string, "host: whose time it is, by id or name"),
                Parameter("expires", lifetime, "host: for how many seconds from now; for ever when left out"),
                Parameter("link", .string, "a new link to the same room"),
            ]),
    ]

    private static let callMethods = [
        Method(
            "call.join", "join a room",
            [Parameter("what", .string, isRequired: true, "a link or the name of a saved room")] + joining),
        Method("call.answer", "answer a ringing call", [call]),
        Method("call.reject", "reject a ringing call", [call]),
        Method(
            "call.leave", "leave a call", [call, Parameter("keepRoom", .boolean, "host: whether the room stays open")],
            isFrozen: true),
        Method("call.hold", "hold or resume a call", [call, on]),
        Method(
            "call.record", "record the active call: what is heard and what is sent here; everybody in it is told",
            [on, Parameter("file", .string, "an absolute path that ends in .opus, .ogg, .flac or .wav")]),
        Method("call.activate", "give a held call the devices, holding the active one", [call]),
    ]

    private static let chatMethods = [
        Method(
            "chat.send", "write to everybody in a call, or to some; gives whom it reached, and why it did not others",
            [
                call, Parameter("text", .text, isRequired: true, "at most 4000 bytes; new lines are kept"),
                Parameter("to", .strings, "participants' ids or names; everybody when left out"),
            ])
    ]

    private static let audioMethods = [
        Method("audio.mute", "mute or unmute the microphone", [on], isFrozen: true),
        Method("audio.close", "close the microphone, or open it again", [on]),
        Method(
            "audio.talk", "push to talk, or talk no more; ends by itself, and with the console that asked",
            [
                on,
                Parameter(
                    "seconds", .integer(1...3600), "until it ends unless asked again; `audio.talk-limit` when left out"),
            ]),
        Method(
            "audio.meter",
            "open the microphone for its level while there is no call; nothing is sent; closed when nobody asks any more",
            [Parameter("on", .boolean, isRequired: true, "whether this connection shows the level")]),
        Method("audio.deafen", "hear nobody, or everybody again", [on]),
        Method("audio.gain", "the microphone's gain", [percent]),
        Method("audio.volume", "the volume of everybody", [percent]),
        Method(
            "audio.route", "play by the loudspeaker or the private receiver",
            [Parameter("route", .choice(["speaker", "receiver", "toggle"]), "toggle when left out")]),
        Method("audio.devices", "the microphones and speakers there are"),
        Method(
            "audio.select", "choose the microphone and the speaker",
            [
                Parameter("input", .string, "a device name, or “default”"),
                Parameter("output", .string, "a device name, or “default”"),
            ]),
    ]

    private static let peopleMethods = [
        Method("participant.silence", "silence one person, in my ears only", [call, participant, on]),
        Method(
            "participant.volume", "one person's volume",
            [call, participant, percent]),
        Method(
            "participant.verify", "mark a person's authentication string as compared",
            [call, participant, Parameter("verified", .boolean, "true when left out")]),
        Method(
            "participants.silence", "silence everybody, and say whether later joiners are silenced",
            [call, on, Parameter("joiners", .boolean, "whether people who join later are silenced")]),
    ]

    private static let videoMethods = [
        Method("video.mute", "send no picture, or send it again; the source stays open", [on]),
        Method("video.close", "close the camera, or open it again", [on]),
        Method("video.sources", "the cameras and other sources of pictures there are"),
        Method(
            "video.select", "choose what is sent; the next source when left out",
            [
                Parameter(
                    "source", .string,
                    "camera:NAME, pattern, file:PATH of a Y4M file, terminal, terminal:COMMAND, default or none")
            ]),
        Method(
            "video.type", "type into the terminal that is shared",
            [
                Parameter(
                    "text", .text, isRequired: true,
                    "what the keys of a terminal send: “\\r” is enter, “\\u0003” Ctrl-C")
            ]),
        Method(
            "video.preview",
            "open the source and see it here, in a call or not; nothing is sent; closed when nobody asks any more", [on]
        ),
        Method(
            "video.show",
            "be shown these pictures and no others; gives a memory with them and an eventfd, by SCM_RIGHTS",
            [Parameter("pictures", .strings, isRequired: true, "each PARTICIPANT=WIDTHxHEIGHT, me for one's own")]),
        Method("participant.hide", "do not receive one person's picture", [call, participant, on]),
        Method(
            "participant.layer", "which of a person's pictures to receive",
            [
                call, participant,
                Parameter("layer", .choice(["auto", "high", "low"]), isRequired: true, "auto: as the screen needs"),
            ]),
        Method(
            "participant.prioritize",
            "put one person's picture before everybody else's where the network cannot carry all",
            [call, participant, on]),
        Method(
            "participants.hide", "receive nobody's picture, and say whether later joiners' are received",
            [call, on, Parameter("joiners", .boolean, "whether the pictures of people who join later are hidden")]),
    ]

    private static let otherMethods = [
        Method(
            "stats.get", "statistics by their W3C names",
            [call, Parameter("participant", .string, "one participant; everybody when left out")]),
        Method(
            "stats.text", "statistics as text",
            [call, Parameter("participant", .string, "one participant; everybody when left out")]),
        Method(
            "stats.history", "the last hour, second by second, in pages: `next` is where another begins",
            [
                Parameter("call", .string, "one call; all when left out"),
                Parameter("participant", .string, "one participant's id or name; everybody when left out"),
                Parameter("since", .integer(0...Int.max), "milliseconds since 1970; the beginning when left out"),
            ]),
        Method(
            "call.note", "mark this moment of a call in its figures",
            [call, Parameter("text", .string, isRequired: true, "a word on what happened")]),
        Method("settings.list", "every setting: its value, what it can be, and what it is for"),
        Method("settings.get", "one setting or all", [Parameter("name", .string, "which; all when left out")]),
        Method(
            "settings.set", "change a setting",
            [
                Parameter("name", .string, isRequired: true, "which setting"),
                Parameter("value", .scalar, isRequired: true, "its new value"),
            ]),
    ]
}
