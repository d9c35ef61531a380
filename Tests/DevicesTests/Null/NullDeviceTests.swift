import Devices
import MediaEngine
import Primitives
import Synchronization
import Testing

@Suite struct NullDeviceTests {
    @Test func renderAndCaptureAreCalledEveryTenMilliseconds() async {
        let client = CountingClient(renderGoal: 20)
        let device = NullDevice()
        let start = MonoTime.now()
        device.start(client, capture: true)
        await client.reached()
        let elapsed = MonoTime.now() - start
        device.stop()
        #expect(client.capturedCount >= 20)
        #expect(elapsed >= .milliseconds(200))
        #expect(elapsed < .seconds(3))
    }

    @Test func nothingIsCalledAfterStop() async {
        let client = CountingClient(renderGoal: 3)
        let device = NullDevice()
        device.start(client, capture: true)
        await client.reached()
        device.stop()
        let count = client.renderedCount
        let other = CountingClient(renderGoal: 5)
        device.start(other, capture: false)
        await other.reached()
        device.stop()
        #expect(client.renderedCount == count)
    }

    @Test func aClosedMicrophoneIsNotCapturedWhilePlaybackGoesOn() async {
        let client = CountingClient(renderGoal: 10)
        let device = NullDevice()
        device.start(client, capture: false)
        await client.reached()
        device.stop()
        #expect(client.capturedCount == 0)
    }

    @Test func theMicrophoneIsTheSourceAndTheSinkHearsWhatIsPlayed() async {
        let client = CountingClient(renderGoal: 5, level: 0.25)
        let sink = LastSample()
        let device = NullDevice(microphone: Constant(0.5), speaker: sink)
        device.start(client, capture: true)
        await client.reached()
        device.stop()
        #expect(client.lastCaptured == 0.5)
        #expect(sink.value == 0.25)
    }
}

private final class Constant: SampleSource {
    private let value: Float

    init(_ value: Float) {
        self.value = value
    }

    func fill(_ frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime) {
        frame.update(repeating: value)
    }
}

private final class LastSample: SampleSink {
    private let last = Atomic<UInt32>(0)

    func take(_ frame: UnsafeBufferPointer<Float>, at now: MonoTime) {
        last.store((frame.last ?? 0).bitPattern, ordering: .relaxed)
    }

    var value: Float {
        Float(bitPattern: last.load(ordering: .relaxed))
    }
}
