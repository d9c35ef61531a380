import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor
import Signaling

/// The pictures of the active call: what is captured and sent, whose are received, and who looks at them.
@EngineActor
final class VideoCoordinator {
    let settings: Settings
    let store = PictureStore()
    let feeds = PictureFeeds()
    var capture: VideoCapture?
    var wishes = VideoWishes()
    var choice: VideoChoice?
    /// The X display of the console that attached last, for what is started; `nil`: the core's own.
    var display: String?
    /// The choice whose source was started last, which goes on when another cannot be started.
    var started: VideoChoice?
    /// How often something was chosen.
    var selection = 0
    var isMuted: Bool
    var isClosed = false
    /// Nobody is there, and nothing is to be sent then: a camera is released until somebody is (Q62).
    var isSuspended = false
    /// The connections that asked for one's own picture (A30).
    private(set) var previewers: Set<ObjectIdentifier> = []
    /// Whether something was shown in this call: from then on the source stays open, muted or not (A32).
    var hasShown = false
    /// Why the source gives nothing.
    var reason: String?
    private(set) weak var activeCall: RoomCall?
    var encoders: [VideoLayer: LayerEncoder] = [:]
    var ladder = ResolutionLadder(bitrate: 300_000)
    var plan = VideoLayerPlan<MemberID>()
    /// The worst that anybody gets for want of bandwidth.
    var limit: VideoLimit?
    /// Whether what is encoded is black, for who needs some picture.
    var sendsBlack = false
    var keyFrames: [VideoLayer: KeyFrameThrottle] = [:]
    var decoders: [MemberID: PictureDecoder] = [:]
    var selfView: SelfView?
    /// What is sent of the sound that belongs to the pictures.
    private var sound: SoundFeed?
    var bell: Doorbell?
    var planTimer: EngineTimer?
    var priorityTimer: EngineTimer?
    private var roster: CameraRoster?
    /// Called when something that consoles show has changed.
    var onChange: (() -> Void)?
    /// Called when another sound is to be sent beside the microphone's, or none.
    var onSound: ((SoundFeed?) -> Void)?
    /// Called with what people are to be told.
    /// The member is the one that it is about.
    var onEvent: ((EventUpdate.Kind, MemberID?, String) -> Void)?

    /// How often the bandwidth is shared out anew.
    static let planInterval = Duration.milliseconds(200)

    init(settings: Settings) {
        self.settings = settings
        isMuted = !settings.bool("video.start")
        wishes.hidesJoiners = settings.bool("video.hide-joiners")
        let roster = CameraRoster { [weak self] new, gone in self?.camerasChanged(new: new, gone: gone) }
        self.roster = roster
        choice = VideoChoice(settings.string("video.source")).flatMap {
            $0 == .firstCamera && roster.cameras.isEmpty ? nil : $0
        }
        bell = Doorbell { [weak self] in self?.drain() }
        planTimer = EngineTimer { [weak self] in self?.replan() }
        priorityTimer = EngineTimer { [weak self] in self?.updatePriority() }
    }
}

/// When it works.
extension VideoCoordinator {
    /// Gives the pictures to `call`, or to nobody.
    func activate(_ call: RoomCall?) {
        guard call !== activeCall else { return }
        for member in Array(decoders.keys) { removeDecoder(of: member) }
        activeCall = call
        if call == nil {
            isMuted = !settings.bool("video.start")
            planTimer?.cancel()
            stopEncoding()
        }
        apply()
    }

    func settingChanged(_ name: String) {
        switch name {
        case "video.source":
            let new = VideoChoice(settings.string(name))
            if new != choice { select(new) }
        case "video.width", "video.height", "video.frame-rate":
            for layer in Array(encoders.keys) { removeEncoder(layer) }
            if let selfView { capture?.add(selfView, audience: .preview, format: selfViewFormat) }
            openSource()
            apply()
        case "video.hide-joiners": change { $0.hidesJoiners = settings.bool(name) }
        default: break
        }
    }

    /// The pictures' sound goes where they go.
    func updateSound() {
        let new = isLive ? capture?.sound : nil
        guard new !== sound else { return }
        sound = new
        onSound?(new)
    }

    /// Opens the source and shows it here, in a call or not, for as long as this connection wants it; nothing is sent for
    /// that: what was closed is opened for it, and not shown to the others.
    func setPreviewing(_ isWanted: Bool, for session: ConsoleSession) {
        let id = ObjectIdentifier(session)
        if isWanted {
            previewers.insert(id)
            if isClosed { (isClosed, isMuted) = (false, true) }
            retry()
        } else if previewers.remove(id) == nil {
            return
        }
        apply()
    }

    func isPreviewing(for session: ConsoleSession) -> Bool {
        previewers.contains(ObjectIdentifier(session))
    }

    /// Whether anybody here looks at the own picture, sent or not.
    var isPreviewing: Bool { !previewers.isEmpty }

    /// A connection is over, and with it what it was shown.
    func ended(_ session: ConsoleSession) {
        show(nil, to: session)
        setPreviewing(false, for: session)
    }

    func shutDown() {
        capture?.close()
        capture = nil
    }
}
