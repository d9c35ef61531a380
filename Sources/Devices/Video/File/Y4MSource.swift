package import MediaEngine
import Primitives

/// A file of pictures (YUV4MPEG2), played at its own rate, again and again; a sound file of its name beside it is its sound.
package final class Y4MSource: CaptureSource {
    private let path: String
    private var thread: WorkerThread?
    package private(set) var sound: SoundFeed?

    package init(path: String) {
        self.path = path
    }

    deinit {
        thread?.stop()
    }

    package var content: VideoEncoderSettings.ContentHint { .motion }
    package var isShownWhole: Bool { true }

    /// Gives the file's own size; its rate too, or half, a third… of it where that is above 30 or the wanted one (Q49).
    package func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat {
        stop()
        let (path, limit) = (path, wanted.possible.frameRate)
        var first = try Y4MFile(path)
        _ = try first.next(at: .now())
        let pace = FilePace(first.header, limit: limit)
        let format = CaptureFormat(size: first.header.size, frameRate: pace.frameRate)
        let soundPath = ClipSound.path(beside: path)
        if let soundPath { _ = try ClipSound(soundPath) }
        let feed = soundPath.map { _ in SoundFeed() }
        let thread = WorkerThread("hoot-file") { thread in
            do {
                let sound: ClipSound? = if let soundPath { try ClipSound(soundPath) } else { nil }
                var playback = ClipPlayback(try Y4MFile(path), pace, sound: sound, feed: feed, start: .now())
                while thread.wait(until: playback.deadline) != .stopped { try playback.play(to: client, at: .now()) }
            } catch {
                client.captureEnded(reason: "\(error)")
            }
        }
        try thread.start()
        self.thread = thread
        sound = feed
        return format
    }

    package func stop() {
        thread?.stop()
        (thread, sound) = (nil, nil)
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
