import MediaEngine
import Primitives
import Synchronization

/// What one source puts down for the capture's thread: the newest picture and what became of the source. A picture that
/// nobody took in time gives way to the next.
final class CaptureInlet: CaptureClient {
    struct News {
        var frame: VideoFrame?
        var interruption: String?
        var end: String?
        /// Pictures that came, and those of them that gave way.
        var capturedCount = 0
        var overwrittenCount = 0
    }

    private let news = Mutex(News())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func captured(_ frame: VideoFrame) {
        news.withLock { news in
            news.capturedCount += 1
            if news.frame != nil { news.overwrittenCount += 1 }
            news.frame = frame
        }
        wake()
    }

    func captureInterrupted(reason: String) {
        news.withLock { $0.interruption = reason }
        wake()
    }

    func captureEnded(reason: String) {
        news.withLock { $0.end = reason }
        wake()
    }

    /// What came since the last call; the counts are of that time too.
    func take() -> News {
        news.withLock { news in
            defer { news = News() }
            return news
        }
    }
}
