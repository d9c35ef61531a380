import MediaEngine
import Primitives
import Synchronization

/// What lives on the capture's thread: the source, the clients and the last picture.
final class CaptureWorker {
    private struct Source {
        let source: any CaptureSource
        let wanted: CaptureFormat
        let inlet: CaptureInlet
        /// What the source dropped before the last look.
        var droppedCount = 0
        var isInterrupted = false
        var hasRun = false
    }

    private let shared: CaptureState
    private let thread: WorkerThread
    private let events: @Sendable (VideoCapture.Event) -> Void
    private var router = CaptureRouter()
    private var clients: [CaptureRouter.ClientID: any VideoSink] = [:]
    private var source: Source?
    /// The source that gave pictures last, while one that was set since has not been started.
    private var proven: Source?
    private var isRunning = false
    private var isOpen = true
    private var isKept = false
    private var isSuspended = false
    private var isEnabled = true
    /// The last picture of the present source.
    private var last: VideoFrame?

    init(_ shared: CaptureState, _ thread: WorkerThread, events: @escaping @Sendable (VideoCapture.Event) -> Void) {
        self.shared = shared
        self.thread = thread
        self.events = events
    }

    func run() {
        while thread.wait(until: router.deadline) != .stopped {
            let commands = shared.commands.withLock { commands in
                defer { commands = [] }
                return commands
            }
            for command in commands { command(self) }
            takeNews()
            let now = MonoTime.now()
            hand(router.tick(at: now), of: last, at: now)
        }
        stopSource()
    }

    // MARK: Wishes

    /// Returns why it failed; `nil`: it did not.
    func setSource(wanted: CaptureFormat, _ make: (@Sendable () throws -> any CaptureSource)?) -> String? {
        defer { settle() }
        guard let make else {
            releaseSource()
            (source, proven) = (nil, nil)
            return nil
        }
        do {
            try replace(by: make(), wanted: wanted)
            return nil
        } catch {
            events(.startFailed(reason: "\(error)", keepsPrevious: source != nil))
            return "\(error)"
        }
    }

    func setKept(_ isKept: Bool) {
        self.isKept = isKept
        settle()
    }

    func type(_ bytes: [UInt8]) {
        if isRunning { source?.source.type(bytes) }
    }

    func setOpen(_ isOpen: Bool) {
        self.isOpen = isOpen
        settle()
    }

    /// What was captured meanwhile is shown at once: a screen may stand still for long.
    func setEnabled(_ isEnabled: Bool) {
        let wasEnabled = self.isEnabled
        self.isEnabled = isEnabled
        settle()
        if isEnabled, !wasEnabled { repeatPicture(for: nil) }
    }

    func setSuspended(_ isSuspended: Bool) {
        self.isSuspended = isSuspended
        settle()
    }

    func add(_ client: any VideoSink, audience: CaptureRouter.Audience, format: CaptureFormat) {
        let id = ObjectIdentifier(client)
        clients[id] = client
        router.add(id, audience: audience, format: format, at: .now())
        settle()
        repeatPicture(for: id)
    }

    func remove(_ id: CaptureRouter.ClientID) {
        clients[id] = nil
        router.remove(id)
        settle()
    }

    /// `id` nil: for everybody.
    func repeatPicture(for id: CaptureRouter.ClientID?) {
        guard isRunning, var frame = last else { return }
        frame.time = .now()
        deliver(frame, isRepeat: true, to: id)
    }

    // MARK: The source

    private var mayRun: Bool {
        isOpen && !isSuspended && (isKept || router.hasClients)
    }

    /// Starts or stops the source as the wishes want it.
    func settle() {
        if source != nil, mayRun != isRunning {
            mayRun ? startSource() : releaseSource()
        }
        router.set(enabled: isEnabled, running: isRunning, at: .now())
    }

    /// Puts `new` in the place of the present source; throws, with that one in its place, when it cannot be started.
    private func replace(by new: any CaptureSource, wanted: CaptureFormat) throws {
        let next = makeSource(new, wanted: wanted)
        guard mayRun else {
            if source?.hasRun == true { proven = source }
            source = next
            return
        }
        let needsRoom = new.exclusiveResource != nil && new.exclusiveResource == source?.source.exclusiveResource
        if needsRoom { stopSource() }
        // When it throws, `settle` starts the one that had to make room.
        let given = try new.start(next.inlet, wanted: wanted)
        stopSource()
        source = next
        tellStarted(wanted: wanted, given: given)
    }

    private func startSource() {
        guard let source else { return }
        let next = makeSource(source.source, wanted: source.wanted)
        do {
            let given = try next.source.start(next.inlet, wanted: next.wanted)
            self.source = next
            tellStarted(wanted: next.wanted, given: given)
        } catch {
            // Not tried again until it is set anew.
            self.source = proven
            proven = nil
            events(.startFailed(reason: "\(error)", keepsPrevious: self.source != nil))
            startSource()
        }
    }

    private func makeSource(_ source: any CaptureSource, wanted: CaptureFormat) -> Source {
        Source(source: source, wanted: wanted, inlet: CaptureInlet { [thread] in thread.wake() })
    }

    private func tellStarted(wanted: CaptureFormat, given: CaptureFormat) {
        isRunning = true
        source?.hasRun = true
        proven = nil
        shared.status.withLock { status in
            status.isRunning = true
            (status.wanted, status.given) = (wanted, given)
        }
        let sound = source?.source.sound
        shared.sound.withLock { $0 = sound }
        events(.started(wanted: wanted, given: given))
    }

    private func stopSource() {
        guard isRunning else { return }
        isRunning = false
        last = nil
        source?.source.stop()
        countDropped()
        shared.sound.withLock { $0 = nil }
        shared.status.withLock { status in
            status.isRunning = false
            (status.wanted, status.given) = (nil, nil)
        }
    }

    /// Stops a source that nobody wants any more.
    private func releaseSource() {
        guard isRunning else { return }
        stopSource()
        events(.stopped)
    }

    // MARK: Pictures

    private func takeNews() {
        guard isRunning, let source else { return }
        let news = source.inlet.take()
        countDropped()
        shared.status.withLock { status in
            status.capturedCount += news.capturedCount
            status.droppedCount += news.overwrittenCount
        }
        if let frame = news.frame {
            if source.isInterrupted, news.interruption == nil {
                self.source?.isInterrupted = false
                events(.resumed)
            }
            last = frame
            deliver(frame)
        }
        if let reason = news.interruption {
            self.source?.isInterrupted = true
            events(.interrupted(reason: reason))
        }
        if let reason = news.end {
            stopSource()
            self.source = nil
            settle()
            events(.ended(reason: reason))
        }
    }

    private func countDropped() {
        guard let count = source?.source.droppedCount, let before = source?.droppedCount, count > before else { return }
        source?.droppedCount = count
        shared.status.withLock { $0.droppedCount += count - before }
    }

    private func deliver(_ frame: VideoFrame, isRepeat: Bool = false, to only: CaptureRouter.ClientID? = nil) {
        guard let source = source?.source else { return }
        let deliveries = router.route(
            frame.size, time: frame.time, content: source.content, isShownWhole: source.isShownWhole,
            isRepeat: isRepeat, to: only)
        hand(deliveries, of: frame, at: frame.time)
    }

    private func hand(_ deliveries: [CaptureRouter.Delivery], of frame: VideoFrame?, at time: MonoTime) {
        var made: [FrameFit: VideoFrame] = [:]
        for delivery in deliveries {
            guard let fit = delivery.fit else {
                hand(nil, delivery, at: time)
                continue
            }
            guard var picture = made[fit] ?? frame?.resampled(fit) else { continue }
            picture.time = time
            made[fit] = picture
            hand(picture, delivery, at: time)
        }
    }

    /// `picture` nil: a black one.
    private func hand(_ picture: VideoFrame?, _ delivery: CaptureRouter.Delivery, at now: MonoTime) {
        guard let client = clients[delivery.client] else { return }
        let content = source?.source.content ?? .motion
        guard let picture else {
            shared.status.withLock { $0.blackCount += 1 }
            return client.take(.black(delivery.size, time: now), content: content)
        }
        if delivery.isPreview { return client.take(picture, content: content) }
        guard shared.isEnabled.load(ordering: .sequentiallyConsistent) else { return }
        shared.status.withLock { $0.deliveredCount += 1 }
        client.take(picture, content: content)
    }
}
