import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor

/// What is captured.
extension VideoCoordinator {
    /// Whether the others see something of us.
    var isLive: Bool {
        !isMuted && !isClosed && !isSuspended && choice != nil && reason == nil
            && activeCall.map { !$0.lifecycle.isHeld } ?? false
    }

    /// Chooses a source. When it cannot be started, the one before goes on (Q51), and `completion` hears why; it is called
    /// once, when that is known, or at once where the source is not opened yet.
    func select(_ new: VideoChoice?, completion: @escaping @EngineActor (RPCError?) -> Void = { _ in }) {
        selection += 1
        (choice, reason) = (new, nil)
        if new == nil { started = nil }
        openSource { [weak self, selection] failure in
            if failure != nil, let self, self.selection == selection { keepStarted() }
            completion(failure.map { .failed("\(new?.description ?? ""): \($0)") })
        }
        apply()
    }

    /// Has the capture take what is chosen. `completion` hears why it cannot be started; `nil`: it can, or is not to be yet.
    func openSource(completion: @escaping @EngineActor (String?) -> Void = { _ in }) {
        guard let capture, let choice else {
            capture?.setSource(nil)
            return completion(nil)
        }
        let outcome: @Sendable (String?) -> Void = { failure in Task { @EngineActor in completion(failure) } }
        capture.setSource(wanted: format, outcome: outcome) { [display] in
            try choice.makeSource(display: display)
        }
    }

    /// Sends no picture more, or sends it again.
    func setMuted(_ isMuted: Bool) {
        self.isMuted = isMuted
        if !isMuted {
            isClosed = false
            isSuspended = false
            retry()
        }
        apply()
    }

    /// Sends nothing while nobody is there; once somebody is again, what was sent before.
    func setSuspended(_ isSuspended: Bool) {
        guard isSuspended != self.isSuspended else { return }
        self.isSuspended = isSuspended
        apply()
    }

    /// Tries a source once more that gave nothing.
    func retry() {
        guard reason != nil else { return }
        reason = nil
        openSource()
    }

    /// Cameras were plugged in or unplugged. One that was waited for is opened.
    func camerasChanged(new: [Camera], gone: [Camera]) {
        for camera in new { onEvent?(.camera, nil, "\(camera.name) is plugged in") }
        for camera in gone { onEvent?(.camera, nil, "\(camera.name) is unplugged") }
        if choice == nil, settings.string("video.source") == VideoChoice.firstCamera.name, !new.isEmpty {
            choice = .firstCamera
            openSource()
        } else if new.contains(where: { choice == .camera($0.path) || choice == .firstCamera }) {
            retry()
        }
        apply()
    }

    var format: CaptureFormat {
        CaptureFormat(
            size: VideoSize(width: settings.integer("video.width"), height: settings.integer("video.height")),
            frameRate: settings.integer("video.frame-rate"))
    }

    private func startCapture() {
        guard capture == nil else { return }
        let new = VideoCapture { [weak self] event in
            Task { @EngineActor in self?.took(event) }
        }
        do {
            try new.open()
        } catch {
            onEvent?(.warning, nil, "nothing can be captured: \(error)")
            return
        }
        capture = new
        openSource()
    }

    /// Applies what has changed about the source, the hold and the muting, and tells the call's members.
    func apply() {
        hasShown = activeCall != nil && (hasShown || !isMuted)
        let isOpen = !isClosed && (hasShown || isPreviewing)
        if isOpen || needsBlack { startCapture() }
        capture?.setOpen(isOpen)
        // What runs in a terminal does not end for that.
        capture?.setSuspended(isSuspended && choice?.isText != true)
        // A camera shows nobody anything while one is alone; what runs in a terminal goes on.
        capture?.setKept(hasShown && (choice?.isText == true || activeCall?.members.isEmpty == false))
        capture?.setEnabled(isLive)
        updateSound()
        updateSelfView()
        replan()
        activeCall?.announce(video: isLive, isScreen: choice?.shown == .share)
        onChange?()
    }

    /// Shows one's own picture here while a console looks at what the others see, or as a preview (A30).
    func updateSelfView() {
        let isWanted = isPreviewing || wishes.watched[PictureStore.me] != nil && isLive
        if isWanted, selfView == nil, let capture {
            let view = SelfView(store) { [feeds] in feeds.isNew(PictureStore.me) }
            selfView = view
            capture.add(view, audience: .preview, format: selfViewFormat)
        } else if !isWanted, let view = selfView {
            capture?.remove(view)
            view.close()
            selfView = nil
            store.remove(PictureStore.me)
        }
    }

    /// As much of the picture as the others see, and no more of its pixels than cells can show.
    var selfViewFormat: CaptureFormat {
        let (whole, height) = (format.size, VideoLayer.lowSize.height)
        let size = VideoSize(width: max(2, whole.width * height / max(1, whole.height)), height: height)
        return CaptureFormat(size: size, frameRate: format.frameRate)
    }

    private func took(_ event: VideoCapture.Event) {
        let name = choice?.description ?? "the source"
        let withSound = capture?.sound == nil ? "" : ", with sound, which is sent while the microphone is on"
        switch event {
        case .started(let wanted, let given):
            reason = nil
            started = choice
            onEvent?(.camera, nil, "\(name): \(given)\(given == wanted ? "" : ", asked for \(wanted)")\(withSound)")
        case .startFailed(let why, let keepsPrevious):
            if keepsPrevious { keepStarted() } else { reason = why }
            onEvent?(.warning, nil, "\(name): \(why)\(keepsPrevious ? "; the source before goes on" : "")")
        case .interrupted(let why):
            reason = why
            onEvent?(.camera, nil, "\(name): \(why)")
        case .resumed:
            reason = nil
            onEvent?(.camera, nil, "\(name) is back")
        case .stopped: break
        case .ended(let why):
            (reason, started) = (why, nil)
            onEvent?(.camera, nil, "\(name): \(why)")
        }
        apply()
    }

    private func keepStarted() {
        (choice, reason) = (started, nil)
        do throws(RPCError) {
            try settings.set("video.source", to: .string(choice?.name ?? "none"))
        } catch {
            onEvent?(.warning, nil, "\(error)")
        }
        apply()
    }
}
