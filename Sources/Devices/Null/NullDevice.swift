package import MediaEngine
import Synchronization

/// A device without hardware: its own thread ticks every 10 ms, so that a call's clock runs and its buffers drain.
///
/// The microphone is silent, or a `SampleSource`; what is played goes nowhere, or to a `SampleSink`.
package final class NullDevice: AudioDevice {
    private let source: (any SampleSource)?
    private let sink: (any SampleSink)?
    private let counters = NullClockCounters()
    private var clock: NullClock?

    package init(microphone source: (any SampleSource)? = nil, speaker sink: (any SampleSink)? = nil) {
        self.source = source
        self.sink = sink
    }

    deinit {
        clock?.stop()
    }

    /// Ticks that came more than 10 ms late, since `init`. Any thread.
    package var lateTickCount: Int {
        counters.late.load(ordering: .relaxed)
    }

    /// Ticks left out after a suspension of the process, since `init`. Any thread.
    package var skippedTickCount: Int {
        counters.skipped.load(ordering: .relaxed)
    }

    package func start(_ client: any AudioClient, capture: Bool) {
        stop()
        let clock = NullClock(client: client, source: source, sink: sink, counters: counters, capture: capture)
        clock.start()
        self.clock = clock
    }

    package func setCapture(_ isOpen: Bool) {
        clock?.isCapturing.store(isOpen, ordering: .releasing)
    }

    package func stop() {
        clock?.stop()
        clock = nil
    }
}
