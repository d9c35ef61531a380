package import Primitives
package import RTP

/// Brings one person's picture and sound together: delays the one that is ahead.
///
/// Both streams' timestamps are mapped to the sender's wall clock by its sender reports (RFC 3550, section 6.4.1). What
/// is measured is how much longer the picture takes from there to the screen than the sound takes to the ear. People
/// notice −125 ms (sound late) to +45 ms (sound early) (ITU-R BT.1359); this acts from 30 ms on, by steps of at most
/// 80 ms.
package struct StreamSynchronizer: Sendable {
    /// A presented moment of one stream.
    package struct Presentation: Hashable, Sendable, BitwiseCopyable {
        /// The timestamp of what is heard or shown.
        package var timestamp: UInt32
        /// When it is heard or shown.
        package var time: MonoTime

        package init(timestamp: UInt32, time: MonoTime) {
            self.timestamp = timestamp
            self.time = time
        }
    }

    private static let threshold = Duration.milliseconds(30)
    private static let largestStep = Duration.milliseconds(80)
    private static let memory = 4.0
    /// A skew beyond this is a broken clock.
    private static let plausible = Duration.seconds(10)
    private static let longestDelay = Duration.seconds(2)

    /// To be added to the picture's delay.
    package private(set) var videoDelay = Duration.zero
    /// To be added to the sound's delay, once the picture has no added delay left to give up.
    package private(set) var audioDelay = Duration.zero
    /// How much later the picture comes than its sound, as last measured; negative: the sound is late.
    package private(set) var skew: Duration?
    private var mean = 0.0

    package init() {}

    /// Whether something is delayed.
    package var isDelaying: Bool { videoDelay > .zero || audioDelay > .zero }

    /// Takes what both streams present at about the same time, and the latest sender report of each. Call it about once
    /// a second. Returns `true` when a delay changed.
    package mutating func update(
        audio: Presentation, audioReport: SenderReport, audioRateHz: Int32, video: Presentation,
        videoReport: SenderReport, videoRateHz: Int32 = 90_000
    ) -> Bool {
        let heard = Self.latency(audio, audioReport, audioRateHz)
        let seen = Self.latency(video, videoReport, videoRateHz)
        let measured = Duration.nanoseconds(seen &- heard)
        guard measured.magnitude <= Self.plausible else { return false }
        skew = measured
        mean += (measured.seconds - mean) / Self.memory
        let filtered = Duration.fractional(seconds: mean)
        guard filtered.magnitude >= Self.threshold else { return false }
        mean = 0
        move(by: filtered.clamped(to: .zero - Self.largestStep...Self.largestStep))
        return true
    }

    /// `step` > 0: the picture is late.
    private mutating func move(by step: Duration) {
        if step > .zero {
            let given = min(step, videoDelay)
            videoDelay -= given
            audioDelay = min(audioDelay + (step - given), Self.longestDelay)
        } else {
            let given = min(.zero - step, audioDelay)
            audioDelay -= given
            videoDelay = min(videoDelay + (.zero - step - given), Self.longestDelay)
        }
    }

    /// Nanoseconds from the sender's wall clock to the presentation on ours; the difference of two says something.
    package static func latency(_ presentation: Presentation, _ report: SenderReport, _ rateHz: Int32) -> Int64 {
        let ticks = Int64(Int32(bitPattern: presentation.timestamp &- report.rtpTimestamp))
        let sinceReport = MediaTime(ticks: ticks, rateHz: max(rateHz, 1)).duration.nanoseconds
        let seconds = Int64(report.ntp.bits >> 32) &* 1_000_000_000
        let fraction = Int64((report.ntp.bits & 0xFFFF_FFFF) &* 1_000_000_000 >> 32)
        return presentation.time.nanoseconds &- (seconds &+ fraction &+ sinceReport)
    }
}

extension Duration {
    fileprivate var magnitude: Duration {
        self < .zero ? .zero - self : self
    }
}
