import Codecs
import Dispatch
import MediaEngine
import Primitives
import Synchronization

/// The decoder of one person's pictures, on a queue of its own, which shows each when its time has come. Of what it cannot
/// keep up with, it decodes to the end and shows the last.
final class PictureDecoder: Sendable {
    /// What has been decoded so far.
    struct Counters: Hashable, Sendable {
        var framesDecoded = 0
        var keyFrames = 0
        var qpSum = 0
        var totalDecodeTime = Duration.zero
        var size: VideoSize?
        /// When the last pictures were shown, for the freezes of webrtc-stats.
        var freezes = FreezeMetrics()
    }

    /// What the engine hears.
    enum Event: Sendable {
        /// There is a new picture in the store.
        case shown
        /// Only a key frame helps.
        case failed
    }

    /// Frames that wait; with more, the machine is too slow and begins anew at a key frame.
    private static let limit = 60

    private struct Shared {
        var counters = Counters()
        var waitingCount = 0
        var isClosed = false
    }

    private let participant: String
    private let store: PictureStore
    private let shared = Mutex(Shared())
    private let queue = DispatchQueue(label: "hoot.decode")
    private let onEvent: @Sendable (Event) -> Void
    // unchecked: touched on the queue only.
    nonisolated(unsafe) private var decoder: (codec: VideoCodec, decoder: any VideoDecoder)?
    nonisolated(unsafe) private var decoded = PresentationQueue<VideoFrame>()

    /// - Parameter onEvent: called on the queue.
    init(_ participant: String, store: PictureStore, onEvent: @escaping @Sendable (Event) -> Void) {
        self.participant = participant
        self.store = store
        self.onEvent = onEvent
    }

    var counters: Counters {
        shared.withLock(\.counters)
    }

    /// Puts nothing more into the store once this has returned.
    func close() {
        shared.withLock { $0.isClosed = true }
    }

    /// The sender stops on purpose, or goes on: the time until the next picture is no freeze.
    func interrupt() {
        shared.withLock { $0.counters.freezes.stopped() }
    }

    /// Decodes a frame, in the order of the calls.
    func decode(_ frame: ReceivedVideoFrame) {
        let isTaken = shared.withLock { shared in
            guard shared.waitingCount < Self.limit else { return false }
            shared.waitingCount += 1
            return true
        }
        guard isTaken else { return onEvent(.failed) }
        queue.async { [self] in
            run(frame)
            shared.withLock { $0.waitingCount -= 1 }
        }
    }

    private func run(_ frame: ReceivedVideoFrame) {
        guard !shared.withLock(\.isClosed) else { return }
        let began = MonoTime.now()
        do {
            let decoder = try decoder(for: frame.codec)
            guard let picture = try frame.bytes.withUnsafeBytes({ try decoder.decode($0) }) else { return }
            let now = MonoTime.now()
            shared.withLock { shared in
                shared.counters.framesDecoded += 1
                shared.counters.keyFrames += frame.isKeyFrame ? 1 : 0
                shared.counters.qpSum += picture.qp ?? 0
                shared.counters.totalDecodeTime += now - began
                shared.counters.size = picture.size
            }
            decoded.insert(
                VideoFrame(size: picture.size, bytes: picture.bytes, time: frame.renderTime), showAt: frame.renderTime)
            showDue()
        } catch {
            decoder = nil
            onEvent(.failed)
        }
    }

    /// Shows the newest picture whose time has come, and comes back for the next one.
    private func showDue() {
        let now = MonoTime.now()
        let droppedCount = decoded.droppedCount
        var picture = decoded.next(at: now)
        picture?.time = now
        if let next = decoded.deadline {
            queue.asyncAfter(deadline: .now() + (next - now).seconds) { [weak self] in self?.showDue() }
        }
        let isShown = shared.withLock { shared in
            shared.counters.freezes.dropped(decoded.droppedCount - droppedCount)
            guard let picture, !shared.isClosed else { return false }
            store.set(picture, of: participant)
            shared.counters.freezes.shown(at: now)
            return true
        }
        if isShown { onEvent(.shown) }
    }

    private func decoder(for codec: VideoCodec) throws -> any VideoDecoder {
        if let decoder, decoder.codec == codec { return decoder.decoder }
        let new = try VPXDecoder(codec)
        decoder = (codec, new)
        return new
    }
}
