import Glibc
import MediaEngine
import Primitives
import Synchronization
import TestSupport

/// A client that plays a sine and keeps what it captures, and lets a test wait for either.
final class ToneClient: AudioClient {
    private struct State {
        var phase = 0.0
        var captured: [Float] = []
        var renderedFrames = 0
        var captureLatency = Duration.zero
        var renderLatency = Duration.zero
    }

    private let state = Mutex(State())
    private let progress = Doorbell()
    private let frequencyHz: Double
    private let amplitude: Float

    init(frequencyHz: Double = 660, amplitude: Float = 0.25) {
        self.frequencyHz = frequencyHz
        self.amplitude = amplitude
    }

    var captured: [Float] { state.withLock { $0.captured } }
    var renderedFrames: Int { state.withLock { $0.renderedFrames } }
    var captureLatency: Duration { state.withLock { $0.captureLatency } }
    var renderLatency: Duration { state.withLock { $0.renderLatency } }

    func forget() {
        state.withLock { $0.captured = [] }
    }

    /// Waits until `count` samples were captured since `forget`; returns whether they were within `limit`.
    func awaitCaptured(_ count: Int, within limit: Duration = .seconds(20)) -> Bool {
        progress.wait(within: limit) { self.state.withLock { $0.captured.count >= count } }
    }

    /// Waits until `count` more frames were rendered.
    func awaitRendered(_ count: Int, within limit: Duration = .seconds(20)) -> Bool {
        let goal = renderedFrames + count
        return progress.wait(within: limit) { self.renderedFrames >= goal }
    }

    func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        state.withLock {
            $0.captured += frame
            $0.captureLatency = latency
        }
        progress.ring()
    }

    func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        state.withLock { state in
            for index in frame.indices {
                frame[index] = amplitude * Float(sin(state.phase))
                state.phase += 2 * .pi * frequencyHz / 48_000
            }
            state.renderedFrames += 1
            state.renderLatency = latency
        }
        progress.ring()
    }
}
