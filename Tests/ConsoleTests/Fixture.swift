import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// A model in the middle of a call, on a virtual clock, fed by the messages that a core would send.
struct Fixture {
    var model: ConsoleModel
    var now = ConsoleTime(mono: .zero + .seconds(100), wallMs: 1_800_000_751_000)
    /// Effects that were taken so far.
    var effects: [ConsoleEffect] = []
    private var revision = 0
    private var lastID = 0

    init(keys: KeyMap = .standard) {
        model = ConsoleModel(keys: keys, now: now)
    }

    /// Attached to a core with this state.
    static func attached(_ change: (inout CoreState) -> Void = { _ in }) throws -> Fixture {
        var fixture = Fixture()
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        fixture.takeEffects()
        fixture.effects = []
        var state = CoreState()
        state.core.host = "pi-box"
        state.core.consoles = 1
        state.audio.server.isConnected = true
        state.audio.server.name = "pulseaudio 16.1"
        state.audio.microphone = .idle
        state.audio.input = DeviceInUse(name: "usb", description: "USB microphone")
        state.audio.output = DeviceInUse(name: "usb", description: "USB speakerphone")
        change(&state)
        try fixture.send(state)
        return fixture
    }

    /// In the call of the design's picture: four people, chi speaks and loses.
    static func inCall(_ change: (inout CoreState) -> Void = { _ in }) throws -> Fixture {
        var fixture = try attached { state in
            state.audio.microphone = .live
            state.core.consoles = 2
            state.activeCall = "c1"
            state.calls["c1"] = call(startedAt: 1_800_000_000_000)
            change(&state)
        }
        fixture.send(levels())
        fixture.send(statistics())
        fixture.send(event: EventUpdate(time: 1_800_000_740_000, kind: .memberMuted, text: "dee muted"))
        fixture.takeEffects()
        return fixture
    }

    static func call(startedAt: Int) -> CallState {
        var call = CallState(
            id: "c1", room: "standup", host: "pi-meet", role: .guest, phase: .connected, myId: "p1", myName: "ann")
        call.connectedAt = startedAt
        for (id, name) in [("p2", "bob"), ("p3", "chi"), ("p4", "dee")] {
            var person = Participant(id: id, name: name)
            person.link = .connected
            person.path = "host → srflx udp"
            person.canChat = true
            call.people[id] = person
            call.order.append(id)
        }
        call.people["p2"]?.isHost = true
        call.people["p2"]?.isVerified = true
        call.people["p3"]?.authenticationString = "4711 0815"
        call.people["p4"]?.isMuted = true
        return call
    }

    /// A call that rings here.
    static var ringing: CallState {
        var call = CallState(
            id: "c9", room: "lunch", host: "h", role: .guest, phase: .ringing, myId: "", myName: "ann")
        call.caller = "eva"
        return call
    }

    /// The answer of `audio.devices`.
    static var devices: JSONValue {
        let devices: [JSONValue] = [("alsa.usb", "USB speakerphone"), ("alsa.pci", "Built-in analogue stereo")].map {
            .object(["name": .string($0.0), "description": .string($0.1)])
        }
        return .object(["inputs": .array(devices), "outputs": .array(devices)])
    }

    /// What the doctor may find.
    static let findings = [
        Finding(
            subject: "sound server", isFine: false,
            text: "none listens at /run/user/1000/pulse/native; calls work without one, unheard. For the sound of the "
                + "machine that you sit at: ssh -R /tmp/hoot-1000/pulse.sock:$XDG_RUNTIME_DIR/pulse/native HOST",
            command: "systemctl --user start pipewire-pulse.socket"),
        Finding(
            subject: "sound cards", isFine: false,
            text: "this user may not open /dev/snd; log in again after the command",
            command: "sudo usermod -aG audio ann"),
        Finding(subject: "runtime directory", isFine: true, text: "/tmp/hoot-1000"),
        Finding(subject: "linger", isFine: true, text: "on: the sound server outlives your logins"),
        Finding(subject: "camera", isFine: true, text: "USB camera (/dev/video0)"),
    ]

    /// In a call that is hosted here, with links of the usual length by two addresses.
    static func hosting() throws -> Fixture {
        try inCall { state in
            state.calls["c1"]?.role = .host
            state.calls["c1"]?.isServedHere = true
            state.calls["c1"]?.links = ["pi-meet.example", "192.168.1.23"].map { host in
                "https://\(host):7443/r/standup#AQABAAAAAGVhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5"
                    + ".9c2fA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t"
            }
        }
    }

    /// The answer of `room.invites`: the room's own link, one for an hour, one for a week, one that was used.
    static var invites: JSONValue {
        func invite(_ number: Int, _ role: String, uses: Int = 0, minutes: Int? = nil, by user: String? = nil)
            -> JSONValue
        {
            var fields: [String: JSONValue] = [
                "invite": .integer(number), "role": .string(role), "uses": .integer(uses),
                "isRoomLink": .bool(number == 1),
            ]
            fields["expiresAt"] = minutes.map { .integer(1_800_000_751_000 + $0 * 60_000 - 1) }
            fields["usedBy"] = user.map { .string($0) }
            return .object(fields)
        }
        return .object([
            "invites": .array([
                invite(2, "guest", uses: 1, minutes: 60), invite(1, "guest"), invite(3, "listener", minutes: 10_080),
                invite(4, "guest", uses: 1, by: "eva"),
            ])
        ])
    }

    /// Writes into the call's chat as the core tells it.
    mutating func chat(_ text: String, from id: String = "p2", at time: Int = 1_800_000_745_000, to: [String]? = nil)
        throws
    {
        try change { state in
            let number = (state.calls["c1"]?.chatInOrder.last?.number ?? 0) + 1
            let name = state.calls["c1"]?.people[id]?.name ?? "ann"
            state.calls["c1"]?.chat["\(number)"] = ChatMessage(time: time, from: id, name: name, text: text, to: to)
        }
    }

    /// Somebody knocks.
    static func knock(_ name: String, role: CallState.Role = .guest) -> KnockState {
        KnockState(id: "k-\(name)", name: name, role: role, until: 1_800_000_783_000)
    }

    /// In a call of as many as a room takes; everybody loses a little of everybody.
    static func withEight() throws -> Fixture {
        var fixture = try inCall { state in
            for (number, name) in ["eva", "fred", "gil", "hal"].enumerated() {
                let id = "p\(number + 5)"
                var person = Participant(id: id, name: name)
                person.link = .connected
                state.calls["c1"]?.people[id] = person
                state.calls["c1"]?.order.append(id)
            }
        }
        var statistics = statistics()
        let ids = fixture.model.rows
        for (row, speaker) in ids.enumerated() {
            for (column, listener) in ids.enumerated() where speaker != listener {
                statistics.lossMatrix[speaker, default: [:]][listener] = Double((row * 8 + column) % 11) / 10
            }
        }
        statistics.lossMatrix["p4"]?["p8"] = 100
        fixture.send(statistics)
        return fixture
    }

    /// In a call of `count` others, all of whom are heard and lose something.
    static func withMany(_ count: Int) throws -> Fixture {
        var fixture = try inCall { state in
            state.calls["c1"]?.people = [:]
            state.calls["c1"]?.order = (1...count).map { "q\($0)" }
            for number in 1...count {
                var person = Participant(id: "q\(number)", name: "person \(number)")
                person.link = .connected
                state.calls["c1"]?.people[person.id] = person
            }
        }
        var (levels, statistics) = (levels(), statistics())
        for number in 1...count {
            levels.people["q\(number)"] = -60 + number % 60
            statistics.people["q\(number)"] = statistics.people["p3"]
        }
        fixture.send(levels)
        fixture.send(statistics)
        return fixture
    }

    static func levels() -> LevelsUpdate {
        var levels = LevelsUpdate()
        levels.microphone = -41
        levels.people = ["p2": -57, "p3": -18]
        levels.speaking = "p3"
        return levels
    }

    static func statistics() -> StatisticsUpdate {
        var statistics = StatisticsUpdate()
        for (id, from, to, roundTrip) in [("p2", 0.2, 0.0, 43.0), ("p3", 7.8, 0.1, 61), ("p4", nil, 0.0, 38)] {
            var figures = ParticipantFigures()
            figures.received = StreamFigures()
            figures.received?.lossPercent = from
            figures.sent = StreamFigures()
            figures.sent?.lossPercent = to
            figures.roundTripMs = roundTrip
            statistics.people[id] = figures
        }
        statistics.people["p3"]?.mos = 3.41
        statistics.people["p3"]?.received = received()
        statistics.people["p3"]?.sent?.lostCount = 3
        statistics.people["p3"]?.sent?.lossHistory = Array(repeating: 0, count: 60)
        statistics.people["p3"]?.sent?.bitrateKbps = 37
        statistics.lossMatrix = [
            "me": ["p2": 0, "p3": 0.1, "p4": 0], "p2": ["me": 0.2, "p3": 0.1, "p4": 0.3],
            "p3": ["me": 7.8, "p2": 8.1, "p4": 7.6], "p4": ["p2": 0, "p3": 0],
        ]
        statistics.verdict = "chi's uplink loses 8%: all hear it"
        statistics.reached = 3
        statistics.reachable = 3
        statistics.box.ringDrops = 0
        return statistics
    }

    private static func received() -> StreamFigures {
        var stream = StreamFigures()
        stream.lostCount = 412
        stream.lossPercent = 7.8
        stream.lossHistory = (0..<60).map { second in second < 5 ? -1 : Double(second * 7 % 13) }
        stream.latePercent = 0.3
        stream.concealedPercent = 2.1
        stream.repairedPercent = 61
        stream.repairedByCopiesPercent = 21
        stream.burstLength = 2.4
        stream.reorderedCount = 5
        stream.jitterMs = 4
        stream.bufferMs = 62
        stream.bufferTargetMs = 60
        stream.bitrateKbps = 38
        stream.codec = "opus"
        return stream
    }

    mutating func send(_ state: CoreState) throws {
        revision += 1
        receive(.request(id: nil, method: "state", params: try params(.state(revision: revision, state))))
    }

    mutating func send(_ levels: LevelsUpdate) {
        if let params = try? params(.levels(levels)) { receive(.request(id: nil, method: "levels", params: params)) }
    }

    mutating func send(_ statistics: StatisticsUpdate) {
        guard let params = try? params(.statistics(statistics)) else { return }
        receive(.request(id: nil, method: "statistics", params: params))
    }

    mutating func send(event: EventUpdate) {
        if let params = try? params(.event(event)) { receive(.request(id: nil, method: "event", params: params)) }
    }

    /// Changes the state as the core would.
    mutating func change(_ change: (inout CoreState) -> Void) throws {
        var state = model.state
        change(&state)
        try send(state)
    }

    mutating func receive(_ message: RPCMessage) {
        model.receive(message, at: now)
        takeEffects()
    }

    /// Presses keys: `jj<enter>`.
    mutating func press(_ keys: String) throws {
        for key in try #require(Key.sequence(keys)) { model.receive(.key(key), at: now) }
        takeEffects()
    }

    /// Lets keys go, as a terminal tells that does.
    mutating func letGo(_ keys: String) throws {
        for key in try #require(Key.sequence(keys)) { model.receive(.release(key), at: now) }
        takeEffects()
    }

    mutating func paste(_ text: String) {
        model.receive(.paste(text), at: now)
        takeEffects()
    }

    mutating func wait(_ duration: Duration) {
        now = now + duration
        model.tick(at: now)
        takeEffects()
    }

    /// The core answers the oldest open request of `method`.
    mutating func answer(_ method: String, _ result: JSONValue = .object([:])) throws {
        let id = try #require(openID(method), "no open request \(method)")
        receive(.result(id: .integer(id), result))
    }

    mutating func refuse(_ method: String, _ why: String) throws {
        let id = try #require(openID(method), "no open request \(method)")
        receive(.error(id: .integer(id), .failed(why)))
    }

    /// The requests so far as `method key=value`, and other effects by name; but for those that come by themselves.
    var requests: [String] {
        described.filter { !$0.hasPrefix("audio.meter") && $0 != "bell" }
    }

    /// What was asked for the microphone's meter.
    var meterRequests: [String] {
        described.filter { $0.hasPrefix("audio.meter") }
    }

    private var described: [String] {
        effects.map { effect in
            switch effect {
            case .request(let request):
                let params = request.params.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }
                return ([request.method] + params).joined(separator: " ")
            case .exit(let line): return "exit: \(line ?? "")"
            case .suspend: return "suspend"
            case .redraw: return "redraw"
            case .bell: return "bell"
            case .copy(let text): return "copy: \(text)"
            case .theme(let name): return "theme: \(name ?? "")"
            case .remember(let line): return "remember: \(line)"
            }
        }
    }

    /// The screen as text.
    func screen(rows: Int = 24, columns: Int = 80, glyphs: Glyphs = .utf8) -> [String] {
        surface(rows: rows, columns: columns, glyphs: glyphs).lines
    }

    func surface(rows: Int = 24, columns: Int = 80, glyphs: Glyphs = .utf8) -> Surface {
        ConsoleView.render(
            model, size: Size(rows: rows, columns: columns), look: Look(theme: .standard, glyphs: glyphs))
    }

    private mutating func takeEffects() {
        for effect in model.takeEffects() {
            effects.append(effect)
            if case .request(let request) = effect {
                lastID += 1
                model.sent(request, id: lastID)
            }
        }
    }

    private func openID(_ method: String) -> Int? {
        model.requests.filter { $0.value.method == method }.keys.min()
    }

    private func params(_ update: Update) throws -> JSONValue? {
        guard case .request(_, _, let params) = try update.message() else { return nil }
        return params
    }
}
