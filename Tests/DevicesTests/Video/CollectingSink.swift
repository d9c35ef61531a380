import Devices
import MediaEngine
import Primitives
import Synchronization
import TestSupport

/// Keeps what a capture or a source gives, and lets a test wait for it.
final class CollectingSink: VideoSink, CaptureClient {
    struct Taken {
        var frames: [VideoFrame] = []
        var contents: [VideoEncoderSettings.ContentHint] = []
        var interruptions: [String] = []
        var ends: [String] = []
    }

    private let taken = Mutex(Taken())
    private let bell = Doorbell()

    var all: Taken { taken.withLock { $0 } }

    func take(_ frame: VideoFrame, content: VideoEncoderSettings.ContentHint) {
        change {
            $0.frames.append(frame)
            $0.contents.append(content)
        }
    }

    func captured(_ frame: VideoFrame) {
        change { $0.frames.append(frame) }
    }

    func captureInterrupted(reason: String) {
        change { $0.interruptions.append(reason) }
    }

    func captureEnded(reason: String) {
        change { $0.ends.append(reason) }
    }

    /// Waits until `holds` for what was taken.
    func wait(within limit: Duration = .seconds(20), until holds: (Taken) -> Bool) -> Bool {
        bell.wait(within: limit) { holds(all) }
    }

    func forget() {
        change { $0 = Taken() }
    }

    private func change(_ body: (inout Taken) -> Void) {
        taken.withLock { body(&$0) }
        bell.ring()
    }
}

/// Keeps the events of a capture, and lets a test wait for them.
final class CaptureEvents: Sendable {
    private let events = Mutex<[VideoCapture.Event]>([])
    private let bell = Doorbell()

    var all: [VideoCapture.Event] { events.withLock { $0 } }

    func add(_ event: VideoCapture.Event) {
        events.withLock { $0.append(event) }
        bell.ring()
    }

    func wait(within limit: Duration = .seconds(20), until holds: ([VideoCapture.Event]) -> Bool) -> Bool {
        bell.wait(within: limit) { holds(all) }
    }
}
