import MediaEngine
import Primitives
import Synchronization

/// A source whose pictures the test gives by hand.
final class HandSource: CaptureSource, Sendable {
    struct Refusal: Error, CustomStringConvertible {
        var description: String { "no picture today" }
    }

    private struct State {
        var client: (any CaptureClient)?
        var startCount = 0
        var stopCount = 0
        var droppedCount = 0
        var refuses = false
    }

    let exclusiveResource: String?
    let content: VideoEncoderSettings.ContentHint
    private let state = Mutex(State())

    init(
        resource: String? = nil, content: VideoEncoderSettings.ContentHint = .motion, refuses: Bool = false
    ) {
        exclusiveResource = resource
        self.content = content
        state.withLock { $0.refuses = refuses }
    }

    var startCount: Int { state.withLock { $0.startCount } }
    var stopCount: Int { state.withLock { $0.stopCount } }
    var isRunning: Bool { state.withLock { $0.client != nil } }
    var droppedCount: Int { state.withLock { $0.droppedCount } }

    func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat {
        try state.withLock { state in
            if state.refuses { throw Refusal() }
            state.startCount += 1
            state.client = client
        }
        return CaptureFormat(size: VideoSize(width: 64, height: 48), frameRate: wanted.frameRate)
    }

    func stop() {
        state.withLock { state in
            state.stopCount += 1
            state.client = nil
        }
    }

    func drop(_ count: Int) {
        state.withLock { $0.droppedCount += count }
    }

    /// Gives a picture of one brightness.
    func give(_ luma: UInt8, at time: MonoTime = .now()) {
        var frame = VideoFrame.black(VideoSize(width: 64, height: 48), time: time)
        frame.bytes.replaceSubrange(0..<frame.size.area, with: repeatElement(luma, count: frame.size.area))
        frame.bytes[0] = 255
        state.withLock { $0.client }?.captured(frame)
    }

    func end(_ reason: String) {
        state.withLock { $0.client }?.captureEnded(reason: reason)
    }

    func interrupt(_ reason: String) {
        state.withLock { $0.client }?.captureInterrupted(reason: reason)
    }
}
