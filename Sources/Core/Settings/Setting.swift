import ControlProtocol
import SDP

/// One setting: `group.key` of `hoot.conf`, what it takes and what it is when nothing is written there.
struct Setting: Hashable, Sendable {
    /// `group.key`.
    var name: String
    var kind: Parameter.Kind
    var fallback: JSONValue
    /// One line for the documentation.
    var summary: String
    /// What a text or number has to be beyond its kind.
    var form: SettingForm?

    init(
        _ name: String, _ kind: Parameter.Kind, _ fallback: JSONValue, _ summary: String, form: SettingForm? = nil
    ) {
        self.form = form
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self.summary = summary
    }

    var group: String {
        String(name.prefix { $0 != "." })
    }

    var key: String {
        String(name.drop { $0 != "." }.dropFirst())
    }

    /// Checks a value from the socket or, as text, from the file. The message of the error names the range.
    func check(_ value: JSONValue) throws(RPCError) -> JSONValue {
        let parameter = Parameter(name, kind, summary)
        let typed = value.stringValue.map(parameter.parse) ?? value
        let checked = try parameter.check(typed)
        guard let form, !form.takes(checked) else { return checked }
        let given = form.isSecret ? "" : ", got \(checked.text.quoted)"
        throw .invalidParams("parameter \(name.quoted): expected \(form.expectation)\(given)")
    }

    /// A value as people see it: without secrets.
    func shown(_ value: JSONValue) -> JSONValue {
        form?.shown(value) ?? value
    }

    /// The setting called `name`.
    static func named(_ name: String) -> Setting? {
        all.first { $0.name == name }
    }

    /// Every setting, in the order of the documentation.
    static let all: [Setting] = personal + audio + video + call + room + network + other

    private static let personal = [
        Setting(
            "person.name", .string, .string(""), "the name that others see; the login name when empty",
            form: .personName)
    ]

    private static let audio = [
        Setting("audio.server", .string, .string(""), "the sound server's address; found by itself when empty"),
        Setting("audio.input", .string, .string("default"), "the microphone's stable name, or default"),
        Setting("audio.output", .string, .string("default"), "the speaker's stable name, or default"),
        Setting(
            "audio.ring-device", .string, .string(""),
            "the speaker that rings, by its stable name; where calls are heard when empty"),
        Setting(
            "audio.tones", .boolean, .bool(false),
            "whether mute, and who joins or leaves, are heard here as soft tones; they are never sent"),
        Setting("audio.echo-cancellation", .boolean, .bool(true), "off by itself where playback is headphones"),
        Setting("audio.noise-suppression", .boolean, .bool(true), "takes steady noise off the microphone"),
        Setting("audio.gain-control", .boolean, .bool(true), "evens out the microphone's loudness"),
        Setting("audio.gain", .integer(0...400), .integer(100), "the microphone's gain in per cent"),
        Setting("audio.volume", .integer(0...400), .integer(100), "everybody's volume in per cent"),
        Setting(
            "audio.talk", .choice(["open", "push"]), .string("open"),
            "push: the microphone sends only while somebody pushes to talk"),
        Setting(
            "audio.talk-limit", .integer(5...3600), .integer(120),
            "seconds after which a talk ends unless it is pushed for again"),
        Setting(
            "audio.frame-ms", .integer(10...60), .integer(20),
            "milliseconds of sound in a packet, where nobody asks for more or less: 10, 20, 40 or 60", form: .packetTime
        ),
        Setting(
            "audio.bitrate", .integer(6_000...510_000), .integer(32_000),
            "of the sound, in bits a second; up to half more with loss"),
        Setting("audio.complexity", .integer(0...10), .integer(9), "of the codec: processor time against quality"),
        Setting(
            "audio.codecs", .strings, .array(NegotiatedCodec.allCases.map { .string($0.rawValue) }),
            "what sound may be encoded by, best first; of two, who was in the room first decides", form: .codecs),
        Setting("audio.default-route", .choice(["auto", "speaker", "receiver"]), .string("auto"), "where calls begin"),
    ]

    private static let video = [
        Setting(
            "video.source", .string, .string("default"),
            "what is shown to the others: default (the first camera), none, or as `hoot ctl video.select` takes it"),
        Setting("video.start", .boolean, .bool(false), "whether calls begin with the picture on"),
        Setting(
            "video.codec", .choice(["vp8", "vp9"]), .string("vp8"),
            "what pictures are coded by, where everybody takes it"),
        Setting("video.width", .integer(160...1280), .integer(640), "the widest picture that is sent, in pixels"),
        Setting("video.height", .integer(90...720), .integer(480), "the highest picture that is sent, in pixels"),
        Setting("video.frame-rate", .integer(1...30), .integer(30), "the most pictures a second that are sent"),
        Setting(
            "video.bitrate", .integer(50_000...4_000_000), .integer(1_000_000),
            "the most that pictures cost, in bits a second, per person"),
        Setting(
            "video.hide-joiners", .boolean, .bool(false), "whether the pictures of people who join are not received"),
    ]

    private static let call = [
        Setting("call.answer-interval", .integer(10...60), .integer(45), "seconds that somebody has to answer"),
        Setting("call.dialing-interval", .integer(3...60), .integer(5), "seconds between repeats of an invitation"),
        Setting(
            "call.keep-figures", .boolean, .bool(true),
            "whether each call's figures are kept in a file, second by second"),
        Setting("call.statistics-interval", .integer(1...60), .integer(1), "seconds between figures for panels"),
        Setting("call.report-interval", .integer(1...3600), .integer(5), "seconds between text reports in the log"),
        Setting("call.on-detach", policy, .string("keep"), "when the last console is left on purpose"),
        Setting("call.on-lost", policy, .string("keep"), "when the last console is lost"),
        Setting("call.alone-leave", .integer(0...1440), .integer(30), "minutes alone until a call is left; 0: never"),
        Setting("call.silence-joiners", .boolean, .bool(false), "whether people who join are silenced"),
    ]

    private static let policy = Parameter.Kind.choice(DetachPolicy.allCases.map(\.rawValue))

    private static let network = [
        Setting(
            "network.listen", .string, .string("0.0.0.0:7443"), "where hosted rooms are served", form: .listenAddress),
        Setting(
            "network.media-ports", .string, .string(""), "LO-HI: UDP ports for media; any when empty", form: .portRange),
        Setting(
            "network.public-address", .string, .string(""),
            "the address, or its name, that others reach this machine by", form: .publicAddress),
        Setting(
            "network.public-url", .string, .string(""), "the address of a reverse proxy in front of hosted rooms",
            form: .publicURL),
        Setting(
            "network.ice-servers", .strings, .array([]), "STUN and TURN servers: stun:, turn: and turns: URIs",
            form: .iceServers),
        Setting(
            "network.turn-secret", .string, .string(""),
            "what TURN servers listed without USER:SECRET share with hoot, for time-limited credentials", form: .secret),
        Setting(
            "network.turn-ca", .string, .string(""), "PEM file of the authority for turns:; the system's when empty"),
        Setting(
            "network.ice-policy", .choice(["all", "relay"]), .string("all"), "relay: media go over TURN servers only"),
        Setting(
            "network.share-ice-servers", .choice(ICEServerSharing.allCases.map(\.rawValue)), .string("open"),
            "which of them members of hosted rooms are given: none, all, or those with no stored secret (open)"),
        Setting("network.people", .integer(2...8), .integer(8), "how many a hosted room takes"),
        Setting("network.certificate", .string, .string(""), "PEM file for hosted rooms; self-signed when empty"),
        Setting("network.key", .string, .string(""), "the certificate's private key, a PEM file"),
    ]

    private static let room = [
        Setting("room.lobby", .boolean, .bool(false), "whether who joins a hosted room has to knock first")
    ]

    private static let other = [
        Setting("log.kilobytes", .integer(16...1_048_576), .integer(512), "size at which the log is turned over"),
        Setting("log.debug", .boolean, .bool(false), "whether the log has the text reports and other details"),
        Setting("console.theme", .string, .string("dark"), "a theme's name"),
        Setting("console.ascii", .boolean, .bool(false), "whether the screen keeps to ASCII"),
        Setting(
            "console.mouse", .boolean, .bool(true),
            "whether the console takes the mouse; else the terminal selects text by it"),
        Setting("console.bell", .boolean, .bool(true), "whether the terminal's bell sounds for who rings or knocks"),
        Setting(
            "console.meters", .boolean, .bool(true),
            "whether the screen shows what moves by itself: levels, pictures, the last seconds, who speaks first"),
        Setting(
            "console.pictures", .choice(["auto", "sextant", "quadrant", "half", "ascii"]), .string("auto"),
            "the characters that pictures are made of; auto: what the terminal is known to have"),
        Setting(
            "console.multiplexer-kbps", .integer(16...100_000), .integer(256),
            "kilobits a second that pictures may take inside tmux or screen, which answer before they have drawn"),
    ]
}
