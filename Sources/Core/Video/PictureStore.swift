import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Synchronization

/// The last picture of each person, for whatever shows it. Written on the decoders' and the capture's thread, read on any.
final class PictureStore: Sendable {
    private let pictures = Mutex<[String: VideoFrame]>([:])

    /// The name under which one's own picture is kept.
    static let me = "me"

    func set(_ frame: VideoFrame, of participant: String) {
        pictures.withLock { $0[participant] = frame }
    }

    func remove(_ participant: String) {
        pictures.withLock { $0[participant] = nil }
    }

    /// The last picture; `nil`: there is none.
    func picture(of participant: String) -> VideoFrame? {
        pictures.withLock { $0[participant] }
    }
}

/// Keeps one's own picture, as others see it.
final class SelfView: VideoSink {
    private let store: PictureStore
    private let isClosed = Mutex(false)
    private let onPicture: @Sendable () -> Void

    init(_ store: PictureStore, onPicture: @escaping @Sendable () -> Void) {
        self.store = store
        self.onPicture = onPicture
    }

    /// Puts nothing more into the store once this has returned.
    func close() {
        isClosed.withLock { $0 = true }
    }

    func take(_ frame: VideoFrame, content: VideoEncoderSettings.ContentHint) {
        isClosed.withLock { isClosed in
            if !isClosed { store.set(frame, of: PictureStore.me) }
        }
        onPicture()
    }
}
