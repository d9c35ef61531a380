import MediaEngine
import Primitives
import RTP
import Testing

/// The sound and the picture of one sender over paths of their own, judged by what is heard and seen.
@Suite struct SoundAndPictureTests {
    /// The sound that is its own clock: each sample tells when it was taken, modulo 10 s.
    private static let period = 480_000

    private static func makeSound(_ path: LossyLink.Conditions) -> ReceiverRig {
        let decoder = SignalDecoder { Float($0 % period) / Float(period) }
        return ReceiverRig(
            path, decoders: [.init(payloadType: ReceiverRig.payloadType, decoder: decoder, rtpClockRateHz: 48_000)])
    }

    /// What the sender reports of its sound, whose timestamps began at `origin` when its wall clock stood at `ntp(.zero)`.
    private static func report(origin: UInt32, at now: MonoTime) -> SenderReport {
        let ticks = (now - MonoTime.zero).nanoseconds / 1_000_000 * 48
        return SenderReport(
            sender: SSRC(1), ntp: ntp(now), rtpTimestamp: origin &+ UInt32(truncatingIfNeeded: ticks), packetCount: 0,
            byteCount: 0)
    }

    private static func ntp(_ now: MonoTime) -> NTPTime {
        NTPTime(unixNanoseconds: 1_800_000_000_000_000_000 + now.nanoseconds)
    }

    /// How much later the picture came than the sound, second by second, in milliseconds.
    private func skews(sound: LossyLink.Conditions, picture: LossyLink.Conditions, seconds: Int) throws -> [Double] {
        let rig = Self.makeSound(sound)
        let origin = rig.timestamp
        var pair = VideoPair(conditions: picture)
        var sync = StreamSynchronizer()
        var skews: [Double] = []
        for second in 1...seconds {
            let now = MonoTime.zero + .seconds(second)
            // The rig plays at 3 ms, 13 ms, …
            let played = now - .milliseconds(7)
            let concealed = rig.statistics.concealedSamples
            let content = Int((try #require(rig.run(seconds: 1).suffix(480).first) * Float(Self.period)).rounded())
            try pair.run(seconds: 1)
            let age = (Int((played - MonoTime.zero).nanoseconds / 1_000_000) * 48 - content + Self.period) % Self.period
            let shown = try #require(pair.shown.last)
            let seen = shown.time - (MonoTime.zero + VideoPair.interval * shown.index)
            skews.append(seen.milliseconds - Double(age) / 48)
            guard let timestamp = rig.receiver.presentedTimestamp, let frame = pair.received.last?.frame,
                let report = pair.stream.senderReport(ntp: Self.ntp(now), at: now)
            else { continue }
            let told = Int(Int32(bitPattern: timestamp &- origin)) % Self.period
            #expect(abs(told - content) < 960 || rig.statistics.concealedSamples > concealed, "\(second)")
            _ = sync.update(
                audio: .init(timestamp: timestamp, time: played), audioReport: Self.report(origin: origin, at: now),
                audioRateHz: 48_000, video: .init(timestamp: frame.timestamp, time: frame.renderTime),
                videoReport: report)
            rig.receiver.syncDelay = sync.audioDelay
            pair.receiver.syncDelay = sync.videoDelay
        }
        return skews
    }

    @Test(arguments: [(20, 20), (20, 300), (300, 20), (40, 120), (150, 20)])
    func whatIsHeardAndSeenComesTogether(soundDelay: Int, pictureDelay: Int) throws {
        let skews = try skews(
            sound: .path(delay: soundDelay, jitter: 5), picture: .path(delay: pictureDelay, jitter: 10), seconds: 40)
        #expect(abs(try #require(skews.first) - Double(pictureDelay - soundDelay)) < 80, "\(skews)")
        #expect(skews.suffix(10).allSatisfy { (-125...45).contains($0) }, "\(skews)")
    }

    @Test func lossTearsThemNotApart() throws {
        let skews = try skews(
            sound: .path(delay: 30, loss: 0.05, jitter: 10), picture: .path(delay: 200, loss: 0.05, jitter: 10),
            seconds: 40)
        #expect(skews.suffix(10).allSatisfy { (-125...45).contains($0) }, "\(skews)")
    }
}
