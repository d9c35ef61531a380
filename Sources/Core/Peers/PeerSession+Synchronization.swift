import MediaEngine
import Primitives
import Reactor

/// The peer's picture and its sound, together.
extension PeerSession {
    /// A picture older than this has ended, and the sound need not wait for it.
    private static let pictureLifetime = Duration.seconds(2)
    /// Sound that was not heard for so long has ended, and the picture need not wait for it.
    private static let soundLifetime = Duration.seconds(5)

    /// Measures how far apart the peer's picture and what is heard of it are; to be called once a second. Delays the
    /// picture by itself; returns what the sound is to be delayed by, where that changes.
    func synchronize(_ sound: StreamSynchronizer.Presentation?, at now: MonoTime) -> Duration? {
        if sound != nil { heard = now }
        guard let video, let picture = video.presentation, now - picture.time < Self.pictureLifetime,
            now - heard < Self.soundLifetime
        else {
            guard synchronizer.isDelaying else { return nil }
            synchronizer = StreamSynchronizer()
            video?.setSyncDelay(.zero)
            return .zero
        }
        guard let sound, let audioReport = rtcp.receivers[0].lastSenderReport,
            let videoReport = rtcp.receivers[Self.videoStream].lastSenderReport,
            synchronizer.update(
                audio: sound, audioReport: audioReport, audioRateHz: rtcp.receivers[0].clockRateHz, video: picture,
                videoReport: videoReport)
        else { return nil }
        video.setSyncDelay(synchronizer.videoDelay)
        return synchronizer.audioDelay
    }

    /// What of a stream of the peer's is presented at `now`, on its own wall clock, in milliseconds since 1900.
    func estimatedPlayout(
        _ presentation: StreamSynchronizer.Presentation?, of stream: Int, at now: MonoTime
    ) -> Double? {
        guard let presentation, let report = rtcp.receivers[stream].lastSenderReport else { return nil }
        let latency = StreamSynchronizer.latency(presentation, report, rtcp.receivers[stream].clockRateHz)
        return Double(now.nanoseconds &- latency) / 1e6
    }
}
