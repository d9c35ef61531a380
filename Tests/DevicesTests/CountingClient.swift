import MediaEngine
import Primitives
import Synchronization

/// A client that counts its calls, plays a constant, and says when it has rendered so many frames.
final class CountingClient: AudioClient {
    private let rendered = Atomic<Int>(0)
    private let captures = Atomic<Int>(0)
    private let lastSample = Atomic<UInt32>(0)
    private let goal: Int
    private let level: Float
    private let signal = AsyncStream<Void>.makeStream()

    init(renderGoal: Int, level: Float = 0) {
        goal = renderGoal
        self.level = level
    }

    var renderedCount: Int {
        rendered.load(ordering: .acquiring)
    }

    var capturedCount: Int {
        captures.load(ordering: .acquiring)
    }

    var lastCaptured: Float {
        Float(bitPattern: lastSample.load(ordering: .acquiring))
    }

    /// Returns once `renderGoal` frames were rendered.
    func reached() async {
        for await _ in signal.stream {}
    }

    func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        lastSample.store((frame.last ?? 0).bitPattern, ordering: .releasing)
        captures.wrappingAdd(frame.count == AudioFormat.frameSampleCount ? 1 : 0, ordering: .acquiringAndReleasing)
    }

    func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        frame.update(repeating: level)
        guard rendered.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == goal else { return }
        signal.continuation.finish()
    }
}
