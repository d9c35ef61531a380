package import MediaEngine
import Primitives

/// A source of test pictures, with a clock of its own.
package final class TestPatternSource: CaptureSource {
    private let number: Int
    private let label: String
    private var thread: WorkerThread?

    /// `number` and `label`: as in `TestPattern`.
    package init(number: Int, label: String = "") {
        self.number = number
        self.label = label
    }

    deinit {
        thread?.stop()
    }

    package var content: VideoEncoderSettings.ContentHint { .motion }

    package func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat {
        stop()
        let format = wanted.possible
        let pattern = TestPattern(number: number, size: format.size, label: label)
        let thread = WorkerThread("hoot-pattern") { thread in
            var schedule = TickSchedule(period: format.period, start: .now())
            while thread.wait(until: schedule.next) != .stopped {
                let now = MonoTime.now()
                guard now >= schedule.next else { continue }
                schedule.take(at: now)
                client.captured(pattern.frame(at: now))
            }
        }
        try thread.start()
        self.thread = thread
        return format
    }

    package func stop() {
        thread?.stop()
        thread = nil
    }
}
