package import ControlProtocol
import Primitives
package import Terminal

/// What the console knows and what its user is doing: the mirror of the core's state and the local state beside it.
///
/// A value without I/O: updates, keys and time go in; effects come out of `takeEffects`.
package struct ConsoleModel: Sendable {
    /// How the core can be reached.
    package enum Link: Hashable, Sendable {
        case connecting
        case attached
        /// The core speaks another version: the state is asked for and only the frozen methods work.
        case frozen
        case lost(reason: String)
    }

    /// A change of the microphone that the core has not confirmed.
    package enum MicrophoneWish: Hashable, Sendable {
        case mute
        case unmute
        case close
        case open
    }

    /// The id of the person at this console, in levels and in the loss matrix.
    package static let me = "me"

    package internal(set) var link = Link.connecting
    package internal(set) var mirror = StateMirror() {
        didSet { refreshOrder() }
    }
    package internal(set) var levels = LevelsUpdate()
    /// `nil` until the core has sent some, and again when it is lost.
    package internal(set) var latestStatistics: StatisticsUpdate?
    package internal(set) var log = MessageLog()
    package internal(set) var overlay: Overlay?
    /// The person here, then the others: who spoke last, else who joined first.
    package internal(set) var rows: [String] = [] {
        didSet { refreshShownRows() }
    }
    /// The selected person; `nil`: nobody was chosen.
    package internal(set) var selectedID: String? {
        didSet { refreshSelection() }
    }
    /// A part of a name: only whose has it is shown among the people.
    package internal(set) var filter = "" {
        didSet { refreshShownRows() }
    }
    /// The rows of the people panel: those that the filter leaves. Views ask for them often, and they can be hundreds.
    var shownRows: [String] = []
    /// The place among them of the one that keys mean.
    var selectionIndex: Int?
    /// The panel that was chosen, and whether it has the others' room.
    package internal(set) var focusedPanel: Panel?
    package internal(set) var isZoomed = false
    /// The panel that had the focus when it was enlarged.
    var enlargedPanel: Panel?
    package internal(set) var lossDetail = LossDetail.full
    /// The selected room of the home screen.
    package internal(set) var homeSelection = 0
    package internal(set) var stage = Stage()
    /// Whether the core was asked to show one's own picture here, sent or not.
    package internal(set) var isPreviewing = false
    /// What was typed at the command line.
    package internal(set) var history = CommandHistory()
    /// The names of the themes that there are.
    package var themes: [String] = []
    /// What was found on this machine, to be told while nothing is set up yet.
    package var findings: [Finding] = []
    package internal(set) var microphoneWish: MicrophoneWish?
    /// Whether the terminal tells when a key is let go.
    package var reportsReleases = false
    /// Whether the terminal's bell sounds for who rings or knocks.
    package var hasBell = true
    /// For whom it sounded last, and when.
    var belledFor: String?
    var belledAt: MonoTime?
    /// Whether the screen shows what moves by itself; else it changes with what happens, and the clock.
    package var hasMeters = true
    package internal(set) var now: ConsoleTime
    /// The screen's size, for how far pages scroll.
    package var size = Size(rows: 24, columns: 80)
    /// Seconds to add to UTC for times of day.
    package let utcOffsetSeconds: Int
    package let keys: KeyMap

    /// Whether the state has come since the core was attached.
    var hasState = false
    /// Whether the core was asked to open the microphone for its level.
    var showsMeter = false
    /// Whether the console is stopped as a job.
    var isAway = false
    /// The key that is held to talk, and whether it still opens the microphone.
    var heldTalkKey: Key?
    var isPushing = false
    /// When the talk was last asked for, and when its key last came.
    var talkAskedAt = MonoTime.zero
    var talkKeyAt = MonoTime.zero
    var toldOfRepeats = false
    var peaks: [String: PeakHold] = [:]
    var talk: [String: TalkHistory] = [:]
    /// The others in the order in which they are shown.
    var order: [String] = []
    /// Who is the dominant speaker, and since when.
    var speakingSince: (id: String, time: MonoTime)?
    /// When levels last came: an old meter is no meter.
    var levelsAt: MonoTime?
    var requests: [Int: ConsoleRequest] = [:]
    var effects: [ConsoleEffect] = []
    var exitPlan: ExitPlan?
    /// Messages of the chat that were written by others since the user last wrote or looked.
    var unreadChat = 0
    /// The number of the last message of each call that is in the log, and when the core that counted them was started.
    var chatTaken: [String: Int] = [:]
    var chatOfCore = 0
    /// The links of invites that were made here, by number; they are told once.
    var madeLinks: [Int: [String]] = [:]
    /// An invite that was just made and is to be shown.
    var invitedNumber: Int?

    /// How long levels stay on the screen when no more come.
    static let levelsLifetime = Duration.seconds(1)
    /// How old figures become on a screen without motion before newer ones take their place.
    static let stillFiguresTime = Duration.seconds(30)
    /// When the figures on the screen came.
    var statisticsAt = MonoTime.zero

    package init(
        keys: KeyMap = .standard, history: CommandHistory = CommandHistory(), now: ConsoleTime,
        utcOffsetSeconds: Int = 0
    ) {
        self.keys = keys
        self.history = history
        self.now = now
        self.utcOffsetSeconds = utcOffsetSeconds
    }

    /// What is to be done, in order; each effect is handed out once.
    package mutating func takeEffects() -> [ConsoleEffect] {
        defer { effects = [] }
        return effects
    }

    package var state: CoreState { mirror.state }

    /// The latest figures; without any, all of them are unknown.
    package var statistics: StatisticsUpdate { latestStatistics ?? StatisticsUpdate() }

    /// The call on the screen: the active one, else the first that is under way.
    package var call: CallState? {
        if let id = state.activeCall, let call = state.calls[id] { return call }
        return state.calls.values.filter { $0.phase != .ringing && $0.phase != .ended }.min { $0.id < $1.id }
    }

    /// Whether the home screen is that of somebody who has never used it.
    var isFirstRun: Bool {
        call == nil && state.recentRooms.isEmpty && !findings.isEmpty
    }

    /// A call that rings here.
    package var ringingCall: CallState? {
        state.calls.values.filter { $0.phase == .ringing }.min { $0.id < $1.id }
    }

    /// Calls under way, for Alt-1…9 and the header.
    var calls: [CallState] {
        state.calls.values.filter { $0.phase != .ringing && $0.phase != .ended }.sorted { $0.id < $1.id }
    }

    /// Names that are being rung or were rung in vain, and how it stands.
    var rungNames: [(name: String, state: RingState)] {
        (call?.ringing ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Who waits in the room of the call and is not being rung.
    var waitingNames: [String] {
        call?.waitingNames ?? []
    }

    /// The selected other person.
    var selectedPerson: Participant? {
        selection.flatMap { call?.people[$0] }
    }

    /// The name of a row.
    func name(of id: String) -> String {
        id == Self.me ? "you" : call?.people[id]?.name ?? id
    }

    /// Whether what is on the screen is known to be so.
    var isCurrent: Bool {
        hasState && (link == .attached || link == .frozen)
    }

    /// The level of a row, while levels come.
    func level(of id: String) -> Int? {
        guard hasMeters, isCurrent, let levelsAt, now.mono - levelsAt <= Self.levelsLifetime else { return nil }
        return id == Self.me ? levels.microphone : levels.people[id]
    }

    func peak(of id: String) -> Int? {
        level(of: id) == nil ? nil : peaks[id]?.levelDBov
    }

    /// The dominant speaker's row.
    var speakingID: String? {
        guard let levelsAt, now.mono - levelsAt <= Self.levelsLifetime else { return nil }
        return levels.speaking
    }

    mutating func ask(_ method: String, _ params: [String: JSONValue] = [:], _ purpose: ConsoleRequest.Purpose) {
        effects.append(.request(ConsoleRequest(method, params, purpose: purpose)))
    }

    mutating func say(_ text: String, _ weight: ConsoleMessage.Weight = .plain) {
        log.add(text, weight, at: now.wallMs)
    }
}
