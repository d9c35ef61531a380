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
    private(set) var capture: VideoCapture?
    var wishes = VideoWishes()
    private(set) var choice: VideoChoice?
    /// The choice whose source was started last, which goes on when another cannot be started.
    private var started: VideoChoice?
    var isMuted: Bool
    var isClosed = false
    var isPreviewing = false
    /// Why the source gives nothing.
    var reason: String?
    private(set) weak var activeCall: RoomCall?
    var encoders: [VideoLayer: LayerEncoder] = [:]
    var ladder = ResolutionLadder(bitrate: 300_000)
    var plan = VideoLayerPlan<MemberID>()
    var limit: VideoLimit?
    var keyFrames: [VideoLayer: KeyFrameThrottle] = [:]
    var decoders: [MemberID: PictureDecoder] = [:]
    var selfView: SelfView?
    var bell: Doorbell?
    var planTimer: EngineTimer?
    /// Called when something that consoles show has changed.
    var onChange: (() -> Void)?
    /// Called with what people are to be told.
    var onEvent: ((EventUpdate.Kind, String) -> Void)?

    /// How often the bandwidth is shared out anew.
    static let planInterval = Duration.milliseconds(200)

    init(settings: Settings) {
        self.settings = settings
        isMuted = !settings.bool("video.start")
        choice = VideoChoice(settings.string("video.source")).flatMap {
            $0 == .firstCamera && Camera.all().isEmpty ? nil : $0
        }
        bell = Doorbell { [weak self] in self?.drain() }
        planTimer = EngineTimer { [weak self] in self?.replan() }
    }
}

/// What is captured.
extension VideoCoordinator {
    /// Whether the others see something of us.
    var isLive: Bool {
        !isMuted && !isClosed && choice != nil && reason == nil && activeCall.map { !$0.lifecycle.isHeld } ?? false
    }

    /// Chooses a source. The one before goes on when this one cannot be started (Q51).
    func select(_ new: VideoChoice?) {
        choice = new
        reason = nil
        isClosed = false
        openSource()
        apply()
    }

    private func openSource() {
        guard let choice else {
            capture?.setSource(nil)
            return
        }
        startCapture()?.setSource(wanted: format) { try choice.makeSource() }
    }

    var format: CaptureFormat {
        CaptureFormat(
            size: VideoSize(width: settings.integer("video.width"), height: settings.integer("video.height")),
            frameRate: settings.integer("video.frame-rate"))
    }

    private func startCapture() -> VideoCapture? {
        if let capture { return capture }
        let new = VideoCapture { [weak self] event in
            Task { @EngineActor in self?.took(event) }
        }
        do {
            try new.open()
        } catch {
            onEvent?(.warning, "nothing can be captured: \(error)")
            return nil
        }
        capture = new
        if let choice { new.setSource(wanted: format) { try choice.makeSource() } }
        return new
    }

    /// Applies what has changed about the source, the hold and the muting, and tells the call's members.
    func apply() {
        if activeCall != nil && !isMuted || isPreviewing { _ = startCapture() }
        capture?.setOpen(!isClosed)
        capture?.setEnabled(isLive)
        updateSelfView()
        replan()
        activeCall?.announce(video: isLive, isScreen: choice?.shown == .share)
        onChange?()
    }

    /// Shows one's own picture here while a console looks at it, or before a call as a preview (A30).
    func updateSelfView() {
        let isWanted = isPreviewing || wishes.watched[PictureStore.me] != nil && isLive
        if isWanted, selfView == nil, let capture {
            let view = SelfView(store) { [feeds] in feeds.isNew(PictureStore.me) }
            selfView = view
            capture.add(
                view, audience: .preview,
                format: CaptureFormat(size: VideoSize(width: 320, height: 180), frameRate: format.frameRate))
        } else if !isWanted, let view = selfView {
            capture?.remove(view)
            view.close()
            selfView = nil
            store.remove(PictureStore.me)
        }
    }

    private func took(_ event: VideoCapture.Event) {
        let name = choice?.description ?? "the source"
        switch event {
        case .started(let wanted, let given):
            reason = nil
            started = choice
            onEvent?(.camera, "\(name): \(given)\(given == wanted ? "" : ", asked for \(wanted)")")
        case .startFailed(let why, let keepsPrevious):
            if keepsPrevious { keepStarted() } else { reason = why }
            onEvent?(.warning, "\(name): \(why)\(keepsPrevious ? "; the source before goes on" : "")")
        case .interrupted(let why):
            reason = why
            onEvent?(.camera, "\(name): \(why)")
        case .resumed:
            reason = nil
            onEvent?(.camera, "\(name) is back")
        case .ended(let why):
            reason = why
            onEvent?(.camera, "\(name): \(why)")
        }
        apply()
    }

    private func keepStarted() {
        choice = started
        do throws(RPCError) {
            try settings.set("video.source", to: .string(choice?.name ?? "none"))
        } catch {
            onEvent?(.warning, "\(error)")
        }
    }

    /// Gives the pictures to `call`, or to nobody.
    func activate(_ call: RoomCall?) {
        guard call !== activeCall else { return }
        for member in Array(decoders.keys) { removeDecoder(of: member) }
        activeCall = call
        if call == nil {
            isMuted = !settings.bool("video.start")
            planTimer?.cancel()
            for layer in Array(encoders.keys) { removeEncoder(layer) }
            plan = VideoLayerPlan()
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
            if capture != nil { openSource() }
            apply()
        case "video.hide-joiners": change { $0.hidesJoiners = settings.bool(name) }
        default: break
        }
    }

    func shutDown() {
        capture?.close()
        capture = nil
    }
}
