package import MediaEngine
import Primitives

/// A file of pictures (YUV4MPEG2), played at its own rate, again and again.
package final class Y4MSource: CaptureSource {
    private let path: String
    private var thread: WorkerThread?

    package init(path: String) {
        self.path = path
    }

    deinit {
        thread?.stop()
    }

    package var content: VideoEncoderSettings.ContentHint { .motion }

    /// Gives the file's own size; its rate too, or half, a third… of it where that is above 30 or the wanted one (Q49).
    package func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat {
        stop()
        let (path, limit) = (path, wanted.possible.frameRate)
        var first = try Y4MFile(path)
        _ = try first.next(at: .now())
        let pace = FilePace(first.header, limit: limit)
        let format = CaptureFormat(size: first.header.size, frameRate: pace.frameRate)
        let thread = WorkerThread("hoot-file") { thread in
            do {
                var file = try Y4MFile(path)
                var schedule = TickSchedule(period: pace.period, start: .now())
                var isFirst = true
                while thread.wait(until: schedule.next) != .stopped {
                    let now = MonoTime.now()
                    guard now >= schedule.next else { continue }
                    schedule.take(at: now)
                    client.captured(try file.next(at: now, skipping: isFirst ? 0 : pace.skipped))
                    isFirst = false
                }
            } catch {
                client.captureEnded(reason: "\(error)")
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

/// When the pictures of a file are shown, and how many are left out between two.
package struct FilePace: Hashable, Sendable, BitwiseCopyable {
    package let period: Duration
    package let skipped: Int
    /// Pictures a second, rounded up.
    package let frameRate: Int

    package init(_ header: Y4MHeader, limit: Int) {
        let (numerator, denominator) = header.rate
        let step = max(1, (numerator + denominator * limit - 1) / (denominator * limit))
        let rate = Double(numerator) / Double(denominator * step)
        skipped = step - 1
        period = .fractional(seconds: min(1 / rate, 60))
        frameRate = max(1, Int(rate.rounded(.up)))
    }
}
