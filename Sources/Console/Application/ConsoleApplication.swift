import ControlProtocol
import Glibc
package import Primitives
import Terminal

/// The console as a program: one thread that polls the terminal, the core and the clock, feeds the model, and draws it.
package struct ConsoleApplication: ~Copyable {
    private let options: ConsoleOptions
    private let device: TerminalDevice
    private let signals: SignalPipe
    private var screen: CursesScreen
    private let watch: ConfigurationWatch
    private var lookSource: LookSource
    private var look: Look
    private var lookWarnings: [String]
    private var link: CoreLink
    private var model: ConsoleModel
    private let pictures: SharedStagePictures
    private var stage: StageDriver
    private var parser = InputParser()
    /// Whether the terminal can tell when keys are let go.
    private var tellsOfKeys = false
    /// What was typed before the first frame.
    private var typed: [UInt8]
    private var drawnAt: MonoTime?
    private var isDirty = true
    private var farewell: String??
    private let startedAt = MonoTime.now()

    /// Updates from the core are drawn at most so often; keys at once.
    private static let frameInterval = Duration.milliseconds(40)
    private static let firstPatience = Duration.milliseconds(100)

    /// Takes the terminal.
    package init(options: ConsoleOptions) throws(UserFacingError) {
        let device = try TerminalDevice()
        let signals = try SignalPipe([SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGCONT])
        var environment = TerminalEnvironment.current()
        let typed = try Self.probe(device, &environment)
        let screen = try CursesScreen(environment: environment, size: device.size)
        let loaded = options.load()
        lookSource = LookSource(
            directories: options.directories, isUTF8: screen.isUTF8 && !options.isASCII, depth: screen.depth)
        watch = ConfigurationWatch(options.directories)
        let looks = lookSource.load()
        (look, lookWarnings) = (looks.look, looks.warnings)
        let mode = PictureMode(
            environment, depth: screen.depth, isUTF8: look.glyphs != .ascii, wish: loaded.pictureGlyphs)
        let warnings = [screen.notice].compactMap { $0 } + loaded.warnings + looks.warnings
        self.options = options
        self.device = device
        self.signals = signals
        self.typed = typed
        self.screen = screen
        let pictures = SharedStagePictures()
        stage = StageDriver(
            mode: mode, background: look[.text].background,
            rate: environment.isMultiplexed ? loaded.multiplexerRate : nil, pictures: pictures)
        self.pictures = pictures
        link = CoreLink(directories: options.directories, version: options.version)
        let history = CommandHistory(HistoryFile(options.directories).lines())
        model = ConsoleModel(
            keys: loaded.keys, history: history, now: Self.now(), utcOffsetSeconds: Self.utcOffset())
        model.themes = lookSource.names
        model.findings = options.findings
        apply(looks.settings)
        for warning in warnings { model.warn(warning) }
    }

    /// Asks the terminal what the environment does not say. Returns the keys that were typed meanwhile.
    private static func probe(
        _ device: borrowing TerminalDevice, _ environment: inout TerminalEnvironment
    ) throws(UserFacingError) -> [UInt8] {
        var typed: [UInt8] = []
        if !environment.isKnown {
            let answer = device.answersLikeXterm()
            guard answer.value == true else {
                throw UserFacingError(
                    "cannot draw on this terminal",
                    why: "its type \(environment.term.quoted) is unknown here, and it answers nothing",
                    remedy: "set TERM")
            }
            typed += answer.typed
        }
        if !environment.isUTF8 {
            let answer = device.takesUTF8()
            environment.isUTF8 = answer.value == true
            typed += answer.typed
        }
        return typed
    }

    /// Runs until the user leaves, the terminal goes or the time is over. Returns the line that says what goes on.
    package consuming func run() -> String? {
        let typed = typed
        if !typed.isEmpty { feed { parser, now, out in parser.receive(typed.span.bytes, at: now, into: &out) } }
        while farewell == nil {
            step()
        }
        screen.leave(device)
        device.restore()
        return farewell ?? nil
    }

    private mutating func step() {
        let now = MonoTime.now()
        let events = link.process(at: now)
        pictures.receive(descriptors: link.takeDescriptors())
        for event in events { take(event) }
        model.tick(at: Self.now())
        perform(model.takeEffects())
        if tellsOfKeys { screen.take(releases: model.wantsReleases) }
        drawIfDue(at: .now())
        drawPictures(at: .now())
        if let end = options.end, now >= end { farewell = .some(nil) }
        if farewell == nil { wait() }
    }

    private mutating func wait() {
        var pollers = [
            pollfd(
                fd: device.descriptor, events: Int16(POLLIN | (screen.wantsToWrite ? POLLOUT : 0)), revents: 0),
            pollfd(fd: link.descriptor, events: Int16(POLLIN | (link.wantsToWrite ? POLLOUT : 0)), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stage.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&pollers, nfds_t(pollers.count), timeout())
        if pollers[2].revents != 0 { takeSignals() }
        if pollers[3].revents != 0 { stage.rang() }
        if pollers[4].revents != 0 {
            watch.quiet()
            showTheme()
        }
        let terminal = Int32(pollers[0].revents)
        if terminal & POLLOUT != 0, screen.flush(to: device, at: .now()) == .lost { hangUp() }
        if terminal & ~POLLOUT != 0 { readKeys() }
        tickParser()
    }

    private func timeout() -> Int32 {
        let frame = isDirty ? drawnAt.map { $0 + Self.frameInterval } : nil
        var deadline = earlier(earlier(model.deadline, parser.deadline), earlier(link.deadline, frame))
        deadline = earlier(deadline, earlier(options.end, stage.deadline(screen)))
        if drawnAt == nil { deadline = earlier(deadline, max(startedAt + Self.firstPatience, .now())) }
        guard let deadline else { return 60_000 }
        return Int32(min(max(0, (deadline - .now()).milliseconds.rounded(.up)), 60_000))
    }

    private mutating func take(_ event: CoreLink.Event) {
        isDirty = true
        switch event {
        case .attached(let mismatch):
            model.attached(
                mismatch: mismatch, pulseServer: options.pulseServer, display: options.display, at: Self.now())
        case .lost(let reason):
            pictures.lost()
            model.lost(reason, at: Self.now())
        case .message(let message):
            pictures.receive(message)
            model.receive(message, at: Self.now())
        }
    }

    private mutating func readKeys() {
        guard let bytes = device.read() else { return hangUp() }
        feed { parser, now, out in parser.receive(bytes.span.bytes, at: now, into: &out) }
    }

    private mutating func tickParser() {
        guard let due = parser.deadline, due <= .now() else { return }
        feed { parser, now, out in parser.tick(at: now, into: &out) }
    }

    private mutating func feed(_ body: (inout InputParser, MonoTime, inout Outbox<InputEvent>) -> Void) {
        var out = Outbox<InputEvent>()
        model.size = device.size
        body(&parser, .now(), &out)
        let answers = out.events.count { $0 == .ready }
        if answers > 0 { stage.answered(at: .now()) }
        var typed = 0
        for event in out.events {
            switch event {
            case .ready: continue
            case .synchronizes(let synchronizes):
                screen.synchronizes = synchronizes
                continue
            case .keyboard(let flags):
                tellsOfKeys = true
                model.reportsReleases = flags.contains(.releases)
                isDirty = true
                continue
            case .click(let position):
                model.click(ClickTarget(at: position, model, size: model.size, look: look), at: Self.now())
            case .key, .release, .paste, .focus, .wheel: model.receive(event, at: Self.now())
            }
            typed += 1
        }
        guard typed > 0 else { return }
        perform(model.takeEffects())
        isDirty = true
        drawnAt = nil
    }

    private mutating func perform(_ effects: [ConsoleEffect]) {
        for effect in effects {
            switch effect {
            case .request(let request):
                if let id = link.send(request, at: .now()) {
                    model.sent(request, id: id)
                } else {
                    model.unsent(request)
                }
            case .exit(let line): farewell = .some(line)
            case .suspend: suspend()
            case .bell: screen.soundBell()
            case .redraw: screen.redrawAll()
            case .copy(let text): screen.copy(text)
            case .remember(let line): HistoryFile(options.directories).add(line)
            case .theme(let name):
                lookSource.preview = name
                showTheme()
            }
            isDirty = true
        }
    }

    private mutating func drawIfDue(at now: MonoTime) {
        // What changes by itself changes with the second.
        let second = Int64(model.now.wallMs / 1000)
        if second != drawnSecond { isDirty = true }
        // The first picture waits a moment for the state, so that it is not one of nothing known.
        guard model.isCurrent || now - startedAt >= Self.firstPatience else { return }
        guard isDirty, farewell == nil, drawnAt.map({ now - $0 >= Self.frameInterval }) ?? true else { return }
        drawnSecond = second
        let surface = ConsoleView.render(model, size: device.size, look: look)
        layOutStage(on: surface)
        switch screen.draw(surface, on: device, at: now) {
        case .lost: hangUp()
        case .skipped: break
        default: isDirty = false
        }
        drawnAt = now
    }

    private var drawnSecond: Int64 = 0

    /// Reads the theme anew and draws by it. What is wrong with it is said when it has become so.
    private mutating func showTheme() {
        let loaded = lookSource.load()
        model.themes = lookSource.names
        for warning in loaded.warnings where !lookWarnings.contains(warning) { model.warn(warning) }
        (look, lookWarnings) = (loaded.look, loaded.warnings)
        apply(loaded.settings)
        stage.background = look[.text].background
        isDirty = true
        drawnAt = nil
    }

    private mutating func apply(_ settings: ConsoleSettings) {
        screen.take(mouse: settings.hasMouse)
        (model.hasMeters, model.hasBell) = (settings.hasMeters, settings.hasBell)
    }

    /// What is covered is not wanted either.
    private mutating func layOutStage(on surface: Surface) {
        let rows = surface.pictureRows
        let tiles = ConsoleView.stageTiles(model, size: surface.size).filter { tile in
            rows.contains { $0.overlaps(tile.area.rows) }
        }
        stage.layOut(tiles, size: surface.size, cellShape: device.cellShape)
        guard let request = pictures.request else { return }
        let id = link.send(request, at: .now())
        pictures.sent(id: id)
        if let id { model.sent(request, id: id) }
    }

    private mutating func drawPictures(at now: MonoTime) {
        guard farewell == nil else { return }
        if stage.draw(on: &screen, device, at: now) == .lost { hangUp() }
    }

    private mutating func takeSignals() {
        for signal in signals.take() {
            switch signal {
            case SIGWINCH, SIGCONT:
                isDirty = true
                drawnAt = nil
            case SIGHUP: hangUp()
            default: farewell = .some(nil)
            }
        }
    }

    /// The terminal is gone: the console is lost, not left, so nothing is said to the core.
    private mutating func hangUp() {
        farewell = .some(nil)
    }

    private mutating func suspend() {
        screen.leave(device)
        device.restore()
        kill(getpid(), SIGSTOP)
        device.enterRaw()
        screen.enter(device)
        screen.redrawAll()
        model.returned()
        isDirty = true
    }

    private static func now() -> ConsoleTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return ConsoleTime(mono: .now(), wallMs: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    private static func utcOffset() -> Int {
        var seconds = time(nil)
        var fields = tm()
        localtime_r(&seconds, &fields)
        return fields.tm_gmtoff
    }
}
