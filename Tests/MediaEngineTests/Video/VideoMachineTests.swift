import Primitives
import RTP
import Testing

@testable import MediaEngine

/// The parts of the video machines, each alone.
@Suite struct VideoMachineTests {
    private func time(_ milliseconds: Int) -> MonoTime {
        .zero + .milliseconds(milliseconds)
    }

    /// Shows pictures at intervals of milliseconds.
    private func metrics(_ intervals: [Int]) -> FreezeMetrics {
        var metrics = FreezeMetrics()
        var now = MonoTime.zero
        metrics.shown(at: now)
        for interval in intervals {
            now += .milliseconds(interval)
            metrics.shown(at: now)
        }
        return metrics
    }

    @Test(arguments: [(30, 185, 1), (30, 184, 0), (150, 483, 1), (150, 482, 0)])
    func aFreezeIsThreeIntervalsOrTheMeanAnd150ms(interval: Int, long: Int, count: UInt64) {
        let result = metrics([Int](repeating: interval, count: 40) + [long])
        #expect(result.freezeCount == count)
        #expect(result.totalFreezesDuration == .milliseconds(count == 0 ? 0 : long))
    }

    @Test func theFirstPicturesAndPausesAreNoFreezes() {
        #expect(metrics([30, 30, 30, 400]).freezeCount == 0, "too few to know the mean")
        let paused = metrics([Int](repeating: 30, count: 10) + [5001, 30, 30])
        #expect(paused.freezeCount == 0 && paused.pauseCount == 1 && paused.totalPausesDuration == .milliseconds(5001))
        #expect(metrics([Int](repeating: 30, count: 10) + [5000]).freezeCount == 1)
        #expect(paused.framesShown == 14)
        #expect(abs(paused.totalInterFrameDelay - 5.361) < 1e-9)
    }

    @Test func aSenderThatStopsOnPurposeDoesNotFreeze() {
        var result = metrics([Int](repeating: 30, count: 10))
        result.stopped()
        result.shown(at: time(4000))
        #expect(result.freezeCount == 0 && result.pauseCount == 0)
    }

    @Test func ofPicturesThatAreDueTheNewestIsShown() {
        var queue = PresentationQueue<Int>()
        queue.insert(2, showAt: time(20))
        queue.insert(1, showAt: time(10))
        queue.insert(3, showAt: time(30))
        #expect(queue.deadline == time(10) && queue.next(at: time(9)) == nil)
        #expect(queue.next(at: time(25)) == 2 && queue.droppedCount == 1)
        #expect(queue.next(at: time(25)) == nil && queue.next(at: time(30)) == 3 && queue.deadline == nil)
        for number in 0..<20 { queue.insert(number, showAt: time(100 + number)) }
        #expect(queue.next(at: time(112)) == 12 && queue.droppedCount == 13)
    }

    @Test func keyFramesAreThrottled() {
        var throttle = KeyFrameThrottle()
        var granted: [Int] = []
        for millisecond in stride(from: 0, to: 2000, by: 10) {
            if millisecond >= 100, millisecond < 1000 { throttle.request(at: time(millisecond)) }
            if throttle.take(at: time(millisecond)) { granted.append(millisecond) }
        }
        #expect(granted == [100, 400, 700] && throttle.grantedCount == 3 && throttle.refusedCount == 87)
    }

    @Test func aReceiverAsksAgainAfter200ms() {
        var demand = KeyFrameDemand()
        var asked: [Int] = []
        demand.want(at: time(50))
        for millisecond in stride(from: 0, to: 1000, by: 10) {
            if demand.take(at: time(millisecond)) { asked.append(millisecond) }
            if millisecond == 400 { demand.keyFrameArrives(at: time(400)) }
            if millisecond == 700 { demand.satisfy() }
        }
        #expect(asked == [50, 250, 600] && demand.deadline == nil)
    }

    /// When is asked from `start` on, in milliseconds; looked at each 10 ms, up to 20 s.
    private func asked(_ demand: inout KeyFrameDemand, from start: Int = 0) -> [Int] {
        stride(from: start, to: 20_000, by: 10).filter { millisecond in
            let isDue = demand.deadline.map { $0 <= time(millisecond) } ?? false
            #expect(demand.take(at: time(millisecond)) == isDue)
            return isDue
        }
    }

    @Test func picturesThatStayAwayAreAskedForEvery3s() {
        var camera = KeyFrameDemand()
        camera.expect(.motion, at: time(0))
        camera.pictureCame(at: time(1000))
        #expect(asked(&camera) == [4000, 7000, 10_000, 13_000, 16_000, 19_000])
        camera.expect(.whatComes, at: time(20_000))
        camera.pictureCame(at: time(20_000))
        #expect(camera.deadline == nil)
    }

    @Test func aScreenThatStandsStillIsAskedForOnlyIfItSendsOrHasShownNothing() {
        var screen = KeyFrameDemand()
        screen.pictureCame(at: time(0))
        #expect(asked(&screen).isEmpty)
        screen.isSent(at: time(0))
        screen.isSent(at: time(2000))
        #expect(asked(&screen) == [3000, 6000, 9000, 12_000, 15_000, 18_000])
        screen.pictureCame(at: time(0))
        #expect(asked(&screen).isEmpty)
        screen.expect(.nothing, at: time(0))
        screen.expect(.whatComes, at: time(16_000))
        #expect(asked(&screen) == [19_000], "it begins with a picture")
    }

    @Test func whoSendsNothingIsNotAsked() {
        var demand = KeyFrameDemand()
        demand.expect(.nothing, at: time(0))
        demand.want(at: time(0))
        demand.isSent(at: time(0))
        #expect(demand.deadline == nil && asked(&demand).isEmpty)
        demand.expect(.motion, at: time(19_500))
        #expect(asked(&demand, from: 19_500) == [19_500, 19_700, 19_900])
    }

    /// Asking again is the same command until a key frame comes, or a second has passed.
    @Test func anotherCommandHasAnotherNumber() {
        var demand = KeyFrameDemand()
        var commands: [UInt8] = []
        for millisecond in stride(from: 0, to: 3000, by: 10) {
            if millisecond == 0 || millisecond == 2000 { demand.want(at: time(millisecond)) }
            if demand.take(at: time(millisecond)) { commands.append(demand.command) }
            if millisecond == 1300 { demand.keyFrameArrives(at: time(millisecond)) }
            if millisecond == 1600 { demand.satisfy() }
        }
        #expect(commands == [1, 1, 1, 1, 1, 2, 2, 3, 4, 4, 4, 4, 4])
        #expect(KeyFrameDemand.commandPeriod == .seconds(1))
    }

    @Test func missingPacketsAreAskedForAtOnceAndOnceInARoundTrip() {
        var tracker = NackTracker()
        let roundTrip = Duration.milliseconds(50)
        for sequence in [10, 11, 14] as [Int64] { #expect(tracker.receive(sequence) == true) }
        #expect(tracker.take(roundTrip: roundTrip, at: time(0)) == [SequenceNumber(12), SequenceNumber(13)])
        #expect(tracker.take(roundTrip: roundTrip, at: time(50)).isEmpty)
        #expect(tracker.receive(13) == true)
        #expect(tracker.deadline(roundTrip: roundTrip) == time(55))
        #expect(tracker.take(roundTrip: roundTrip, at: time(60)) == [SequenceNumber(12)])
        #expect(tracker.receive(12) && tracker.isEmpty && tracker.deadline(roundTrip: roundTrip) == nil)
        #expect(tracker.askedCount == 3)
    }

    @Test func triesAreLimitedAndSoIsTheList() {
        var tracker = NackTracker()
        _ = tracker.receive(0)
        _ = tracker.receive(2)
        var count = 0
        for step in 0..<500 { count += tracker.take(roundTrip: .milliseconds(10), at: time(step * 20)).count }
        #expect(count == 100 && tracker.isEmpty)
        #expect(tracker.receive(1003) && !tracker.receive(2100), "too many are missing")
        #expect(tracker.isEmpty && tracker.newest == 2100)
        #expect(tracker.receive(2110) == true)
        tracker.forget(through: 2105)
        #expect(tracker.take(roundTrip: nil, at: time(100_000)).map(\.rawValue) == [2106, 2107, 2108, 2109])
    }

    private func packet(_ number: UInt16, at now: MonoTime, count: Int = 1000) -> PacketHistory.Packet {
        PacketHistory.Packet(
            sequenceNumber: SequenceNumber(number), timestamp: 0, sampled: now, marker: false, payload: [],
            bytes: [UInt8](repeating: 0, count: count), sent: now)
    }

    @Test func theHistoryHoldsASecondAndNoMoreThanItsBytes() {
        var history = PacketHistory()
        for index in 0..<500 { history.append(packet(UInt16(truncatingIfNeeded: 65_400 + index), at: time(index * 5))) }
        #expect(history.byteCount <= 202_000)
        #expect(history.resend(SequenceNumber(65_400), pause: .zero, at: time(2500)) == nil)
        #expect(history.resend(SequenceNumber(363), pause: .milliseconds(40), at: time(2500)) != nil)
        #expect(history.resend(SequenceNumber(363), pause: .milliseconds(40), at: time(2530)) == nil, "on its way")
        #expect(history.resend(SequenceNumber(363), pause: .milliseconds(40), at: time(2540)) != nil)
        #expect(history.resend(SequenceNumber(364), pause: .zero, at: time(2540)) == nil, "not sent yet")
        for index in 0..<5000 { history.append(packet(UInt16(index), at: time(3000), count: 1200)) }
        #expect(history.byteCount <= 2_000_000)
        #expect(history.resend(SequenceNumber(4999), pause: .zero, at: time(3000)) != nil)
    }

    @Test func packetsKeepTheirLimitAndTheReportsTellWhenPicturesWereTaken() throws {
        var random = SplitMix64(seed: 3)
        let origin = StreamOrigin(using: &random)
        var stream = RTPSendStream(origin: origin, payloadType: PayloadType(96), clockRateHz: 90_000)
        stream.mid = HeaderExtensionElement(id: 4, value: Array("video".utf8))
        stream.departure = .sequenceNumber(id: 3)
        var configuration = VideoSender.Configuration(codec: .vp8)
        configuration.extensions = [HeaderExtensionElement(id: 10, value: Array("m".utf8))]
        var sender = VideoSender(configuration, retransmission: nil, using: &random)
        let frame = VideoPair.modelFrame(0, .zero, true)
        let packets = sender.send(frame, capturedAt: time(1000), through: &stream, at: time(1030))
        #expect(packets.count == 11 && packets.allSatisfy { $0.bytes.count <= 1200 - 2 })
        for (index, packet) in packets.enumerated() {
            let span = packet.bytes.span.bytes
            let parsed = try RTPPacket(parsing: span)
            #expect(parsed.header.marker == (index == 10) && parsed.header.timestamp == origin.timestamp &+ 90_000)
            #expect(parsed.transportSequence(id: 3, in: span) == SequenceNumber(0))
            let elements = parsed.extensions?.elements(in: span) ?? []
            #expect(elements.map(\.id) == [4, 3, 10] && elements.first?.value == Array("video".utf8))
        }
        let report = try #require(stream.senderReport(ntp: NTPTime(bits: 0), at: time(1500)))
        #expect(report.rtpTimestamp == origin.timestamp &+ 135_000 && report.packetCount == 11)
        #expect(sender.counters.keyFramesSent == 1 && sender.counters.qpSum == 30)
    }

    @Test func paddingGoesInTheStreamOfRepetitionsAndIsNoPacketOfTheReceiver() throws {
        var random = SplitMix64(seed: 3)
        var stream = RTPSendStream(
            origin: StreamOrigin(using: &random), payloadType: PayloadType(96), clockRateHz: 90_000)
        let repeated = RTPSendStream(
            origin: StreamOrigin(using: &random), payloadType: PayloadType(97), clockRateHz: 90_000)
        var sender = VideoSender(.init(codec: .vp8), retransmission: repeated, using: &random)
        #expect(sender.makePadding(byteCount: 200, at: time(0)) == nil)
        _ = sender.send(VideoPair.modelFrame(0, .zero, true), capturedAt: time(0), through: &stream, at: time(0))
        let made = sender.makePadding(byteCount: 200, at: time(5))
        let padding = try #require(made)
        #expect(
            padding.bytes.count == 200
                && sender.makePadding(byteCount: 1000, at: time(6)).map { $0.bytes.count > 200 } == true)
        var configuration = VideoReceiver.Configuration(codecs: [PayloadType(96): .vp8])
        configuration.retransmissions = [PayloadType(97): PayloadType(96)]
        var receiver = VideoReceiver(configuration)
        var out = Outbox<VideoReceiver.Event>()
        receiver.receive(padding.bytes.span.bytes, at: time(10), into: &out)
        #expect(out.isEmpty && receiver.counters == VideoReceiverCounters() && receiver.deadline == nil)
    }

    @Test func nothingGoesBeforeAKeyFrame() {
        var random = SplitMix64(seed: 3)
        var stream = RTPSendStream(
            origin: StreamOrigin(using: &random), payloadType: PayloadType(96), clockRateHz: 90_000)
        var sender = VideoSender(.init(codec: .vp9), retransmission: nil, using: &random)
        let sent = (0..<4).map { index in
            let frame = VideoPair.modelFrame(index, .zero, index == 2)
            return sender.send(frame, capturedAt: time(index * 33), through: &stream, at: time(index * 33)).isEmpty
        }
        #expect(sent == [true, true, false, false] && !sender.awaitsKeyFrame)
        sender.restart()
        let frame = VideoPair.modelFrame(4, .zero, false)
        #expect(sender.send(frame, capturedAt: time(200), through: &stream, at: time(200)).isEmpty)
        let key = VideoPair.modelFrame(5, .zero, true)
        #expect(!sender.send(key, capturedAt: time(233), through: &stream, at: time(233)).isEmpty)
        sender.use(.vp8, retransmissionType: nil)
        #expect(sender.awaitsKeyFrame && sender.configuration.codec == .vp8)
        #expect(sender.send(frame, capturedAt: time(266), through: &stream, at: time(266)).isEmpty)
    }

    /// Both streams for `seconds`, the picture `late` behind the sound without added delays.
    private func synchronize(late: Duration, seconds: Int) -> (skews: [Double], sync: StreamSynchronizer) {
        var sync = StreamSynchronizer()
        var skews: [Double] = []
        for second in 1...seconds {
            let now = MonoTime.zero + .seconds(second)
            // The clocks of both streams and the wall clock have nothing in common.
            let ntp = NTPTime(unixNanoseconds: 1_800_000_000_000_000_000 + Int64(second) * 1_000_000_000)
            let report = { (rate: UInt32, origin: UInt32) in
                SenderReport(
                    sender: SSRC(1), ntp: ntp, rtpTimestamp: origin &+ UInt32(second) &* rate, packetCount: 0,
                    byteCount: 0)
            }
            let audioLatency = Duration.milliseconds(120) + sync.audioDelay
            let videoLatency = Duration.milliseconds(120) + late + sync.videoDelay
            _ = sync.update(
                audio: .init(timestamp: 0xFFFF_0000 &+ UInt32(second) &* 48_000, time: now + audioLatency),
                audioReport: report(48_000, 0xFFFF_0000), audioRateHz: 48_000,
                video: .init(
                    timestamp: 77 &+ UInt32(second) &* 90_000 &- 9000, time: now + videoLatency - .milliseconds(100)),
                videoReport: report(90_000, 77))
            skews.append(sync.skew?.milliseconds ?? .nan)
        }
        return (skews, sync)
    }

    @Test(arguments: [-300, -125, -60, 60, 200, 400]) func soundAndPictureComeTogether(milliseconds: Int) throws {
        let (skews, sync) = synchronize(late: .milliseconds(milliseconds), seconds: 40)
        #expect(abs(try #require(skews.first) - Double(milliseconds)) < 1)
        #expect(skews.suffix(10).allSatisfy { (-125...45).contains($0) }, "\(skews)")
        #expect(sync.videoDelay == .zero || sync.audioDelay == .zero)
        let steps = zip(skews, skews.dropFirst()).map { abs($1 - $0) }
        #expect(steps.allSatisfy { $0 <= 81 })
    }

    @Test func aSmallSkewChangesNothing() {
        let (_, sync) = synchronize(late: .milliseconds(25), seconds: 20)
        #expect(sync.videoDelay == .zero && sync.audioDelay == .zero)
    }

    @Test func theDelayFollowsTheJitterAndComesBack() {
        var timing = VideoTiming()
        var random = SplitMix64(seed: 5)
        var index = 0
        func run(jitter: Int, seconds: Int) {
            for _ in 0..<seconds * 30 {
                let sent = time(index * 100 / 3)
                let late = jitter == 0 ? 0 : Int(random.next() % UInt64(jitter))
                timing.record(timestamp: UInt32(index * 3000), completion: sent + .milliseconds(50 + late))
                index += 1
            }
        }
        run(jitter: 0, seconds: 5)
        #expect(timing.target == .zero)
        run(jitter: 80, seconds: 10)
        #expect((70...100).contains(timing.target.milliseconds))
        run(jitter: 0, seconds: 70)
        #expect(timing.target <= .milliseconds(10))
        let last = timing.renderTime(of: UInt32((index - 1) * 3000))
        #expect(last.map { abs(($0 - time((index - 1) * 100 / 3)).milliseconds - 50) < 12 } == true)
    }
}
