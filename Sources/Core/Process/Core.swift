import ControlProtocol
import Foundation
import Glibc
import MediaEngine
import Primitives
import Reactor
import Signaling

/// One core, put together: settings, sound, calls, socket. Everything of it lives on the engine.
@EngineActor
final class Core {
    let directories: Directories
    let settings: Settings
    let publisher = StatePublisher()
    let server: ControlServer
    let audio: AudioCoordinator
    let video: VideoCoordinator
    let calls: CallController
    let recording: CallRecording
    let history: RoomHistory
    let statistics: StatisticsCollector
    private var isStopping = false
    private var farewell: EngineTimer?
    /// Called once when the core has been asked to stop.
    var onStopping: (() -> Void)?
    /// Called once when it has said goodbye everywhere.
    var onStopped: (() -> Void)?

    /// Makes a core of these directories. `sound` makes its devices from the settings.
    init(directories: Directories, sound: (Settings) -> any SoundSystem) throws {
        self.directories = directories
        try directories.prepareRuntime()
        try directories.prepareState()
        do {
            try directories.prepareConfiguration()
        } catch {
            // Without one the fallbacks hold; only saving fails, and says so then.
            Log.warning("settings", "\(error)")
        }
        settings = Settings(path: directories.settingsPath)
        history = RoomHistory(path: directories.historyPath)
        server = ControlServer(directories: directories, publisher: publisher)
        audio = AudioCoordinator(settings: settings, sound: sound(settings))
        video = VideoCoordinator(settings: settings)
        recording = CallRecording(folder: directories.recordingsPath, pipeline: audio.path.pipeline)
        calls = CallController(
            settings: settings, audio: audio, video: video, host: RoomHost(directories: directories), history: history,
            evidence: EvidenceKeeper(folder: directories.figuresPath, settings: settings),
            identity: try PersonalIdentity(directories: directories),
            people: VerifiedPeopleStore(path: directories.peoplePath))
        statistics = StatisticsCollector(calls: calls, audio: audio, video: video, settings: settings)
        wire()
        addMethods()
        precondition(server.unhandledMethods.isEmpty, "nothing answers \(server.unhandledMethods)")
    }

    /// Begins to serve consoles.
    func start() throws {
        publisher.update { state in
            state.core.version = CoreVersion.current
            state.core.pid = Int(getpid())
            state.core.host = Self.hostName
            state.core.startedAt = Int(Date().timeIntervalSince1970 * 1000)
        }
        refresh()
        try server.start()
        statistics.start()
        for warning in settings.warnings { Log.warning("settings", warning) }
    }

    /// Leaves every call, tells the consoles, and stops. Idempotent.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        onStopping?()
        calls.shutDown()
        statistics.stop()
        // What was said to rooms and peers gets a moment to leave the machine.
        farewell = EngineTimer { [self] in
            farewell = nil
            audio.activate(nil)
            video.shutDown()
            recording.shutDown()
            server.stop()
            onStopped?()
        }
        farewell?.arm(after: .milliseconds(150))
    }

    /// Brings the state that consoles mirror up to date.
    func refresh() {
        publisher.chats = calls.calls.mapValues(\.chat.encoded)
        publisher.update { state in
            state.core.consoles = server.consoleCount
            state.core.onDetach = DetachPolicy(rawValue: settings.string("call.on-detach")) ?? .keep
            state.core.onLost = DetachPolicy(rawValue: settings.string("call.on-lost")) ?? .keep
            state.audio = audio.state
            state.video = video.state
            state.calls = calls.calls.mapValues(calls.describe)
            if let id = recording.call?.id { state.calls[id]?.recording = recording.state }
            state.activeCall = calls.activeID
            state.lastEnd = calls.lastEnd
            state.waiting = calls.waiting.mapValues { room in
                WaitingState(name: room.name, host: room.link.host, isConnected: room.isConnected)
            }
            state.leftOpen = calls.roomsLeftOpen.isEmpty ? nil : calls.roomsLeftOpen
            state.missed = calls.missed.isEmpty ? nil : calls.missed
            state.recentRooms = history.recentRooms
            state.problems = audio.sound.problems + settingProblems
        }
    }

    private func wire() {
        calls.onChange = { [weak self] in self?.refresh() }
        calls.onEvent = { [weak self] event in
            // What people write to each other is nobody's business later.
            if event.kind != .chat { Log.info("call", event.text) }
            self?.server.broadcast(.event(event))
        }
        calls.onDevicesGo = { [recording] call in if recording.call !== call { recording.end() } }
        recording.onChange = { [weak self] in
            guard let self else { return }
            audio.isRecording = recording.state != nil
            audio.applyMicrophone()
        }
        recording.onEvent = { [calls] kind, call, text in calls.event(kind, call, text: text) }
        video.onSound = { [audio] in audio.path.pipeline.setFeed($0) }
        video.onChange = { [weak self] in self?.refresh() }
        video.onEvent = { [weak self] kind, member, text in
            self?.calls.event(kind, self?.calls.activeCall, participant: member?.rawValue, text: text)
        }
        audio.onChange = { [weak self] in self?.refresh() }
        audio.onReport = { [weak self] report in self?.took(report) }
        audio.onEvent = { [calls] kind, text in calls.event(kind, calls.activeCall, text: text) }
        statistics.onSecond = { [calls] call, samples in calls.evidence.add(samples, of: call) }
        statistics.onUpdate = { [weak self] update in self?.server.broadcast(.statistics(update)) }
        server.onConsolesChanged = { [weak self] count, leftOnPurpose in
            self?.calls.consolesChanged(count: count, leftOnPurpose: leftOnPurpose)
        }
        server.onMetersChanged = { [weak self] in self?.audio.setMetered($0) }
        server.onEnded = { [video, audio] session in
            video.ended(session)
            audio.endTalk(of: .console(ObjectIdentifier(session)))
        }
        settings.onChange = { [weak self] name in self?.settingChanged(name) }
    }

    private func took(_ report: AudioReport) {
        audio.noticeWarnings(report)
        if server.wantsLevels { server.broadcast(.levels(calls.levels(report))) }
    }

    private func settingChanged(_ name: String) {
        if name.hasPrefix("audio.") { audio.settingChanged(name) }
        if name.hasPrefix("video.") { video.settingChanged(name) }
        if name == "call.alone-leave" { calls.aloneLimitChanged() }
        if name == "log.debug" { Log.setShowsDebug(settings.bool(name)) }
        statistics.settingChanged(name)
        refresh()
    }

    private var settingProblems: [Problem] {
        settings.warnings.map {
            Problem(code: "settings", text: $0, command: "${EDITOR:-vi} \(directories.settingsPath)")
        } + (settings.saveFailure.map { [Problem(code: "settings.save", text: $0)] } ?? [])
    }

    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
