import Codecs
import MediaEngine
import Primitives
import RTP
import Testing

/// Video over links that lose, delay and reorder.
@Suite struct VideoPairTests {
    /// What was handed out could be decoded: its number is right, it came in order, and the base was there before.
    private func expectSound(_ pair: VideoPair, _ comment: Comment) {
        var lastBase = -1
        var last = -1
        for (index, frame, _) in pair.received {
            let number = frame.bytes[1..<5].reduce(0) { $0 << 8 | Int($1) }
            #expect(number == index && index > last, comment)
            last = index
            if frame.isKeyFrame {
                lastBase = index
            } else if index % 2 == 0 {
                let between = lastBase < 0 ? [0] : pair.keyFrameTimesIndices.filter { $0 > lastBase && $0 < index }
                #expect(between.isEmpty, comment)
                #expect(pair.previousBase(of: index) == lastBase, comment)
                lastBase = index
            } else {
                #expect(pair.previousBase(of: index) == lastBase, comment)
            }
        }
        let renderTimes = pair.received.map(\.frame.renderTime)
        #expect(zip(renderTimes, renderTimes.dropFirst()).allSatisfy { $0 <= $1 }, comment)
    }

    @Test(arguments: VideoCodec.allCases) func withoutLossEveryFrameIsShownInTime(codec: VideoCodec) throws {
        var pair = VideoPair(codec: codec, conditions: .path(delay: 20))
        try pair.run(seconds: 10)
        expectSound(pair, "\(codec)")
        #expect(pair.shown.map(\.index) == Array(0..<pair.shown.count) && pair.shown.count >= 298)
        #expect(pair.receiver.counters.nackCount == 0 && pair.requestTimes.isEmpty && pair.keyFrameTimes.count == 1)
        #expect(pair.receiver.counters.framesDropped == 0 && pair.metrics.freezeCount == 0)
        #expect(pair.longestGap() < .milliseconds(40))
        #expect(pair.receiver.jitterDelay < .milliseconds(10))
    }

    @Test(arguments: [
        (loss: 0.02, delay: 20, share: 0.96, gap: 200), (0.02, 60, 0.93, 350), (0.1, 20, 0.94, 250),
        (0.1, 60, 0.87, 450), (0.1, 150, 0.5, 2200),
    ])
    func lossesAreMended(loss: Double, delay: Int, share: Double, gap: Int) throws {
        for codec in VideoCodec.allCases {
            var pair = VideoPair(
                codec: codec, conditions: .path(delay: delay, loss: loss, jitter: 4, reorders: true), seed: 3)
            try pair.run(seconds: 30)
            expectSound(pair, "\(codec) \(loss) \(delay)")
            let shown = Double(pair.shown.count) / Double(pair.sentCount)
            print(
                "measured \(codec) loss \(loss) RTT \(2 * delay) ms: shown \(shown), longest gap \(pair.longestGap()),",
                "freezes \(pair.metrics.freezeCount), key frames \(pair.keyFrameTimes.count),",
                "delay \(pair.receiver.jitterDelay)")
            #expect(shown >= share, "\(codec)")
            #expect(pair.longestGap() <= .milliseconds(gap), "\(codec)")
            #expect(pair.sender.counters.retransmittedPacketCount > 0)
        }
    }

    @Test func burstsAreMended() throws {
        var pair = VideoPair(conditions: .path(delay: 30, loss: 0.1, burst: 3, jitter: 4), seed: 4)
        try pair.run(seconds: 30)
        expectSound(pair, "bursts")
        #expect(Double(pair.shown.count) / Double(pair.sentCount) > 0.85)
        #expect(pair.longestGap() < .milliseconds(800))
    }

    @Test func withoutARepetitionStreamThePacketsThemselvesComeAgain() throws {
        var pair = VideoPair(conditions: .path(delay: 20, loss: 0.05), seed: 5, usesRetransmission: false)
        try pair.run(seconds: 20)
        expectSound(pair, "no rtx")
        #expect(Double(pair.shown.count) / Double(pair.sentCount) > 0.9)
    }

    @Test func withoutNACKAKeyFrameMendsEachLossWithinBounds() throws {
        var pair = VideoPair(conditions: .path(delay: 20, loss: 0.01), seed: 6, usesNACK: false)
        try pair.run(seconds: 30)
        expectSound(pair, "no nack")
        #expect(pair.keyFrameTimes.count > 5)
        // The wait, the throttle, the way there and back.
        #expect(pair.longestGap() < .milliseconds(200 + 300 + 200 + 100))
        let intervals = zip(pair.keyFrameTimes, pair.keyFrameTimes.dropFirst()).map { $1 - $0 }
        #expect(intervals.allSatisfy { $0 >= KeyFrameThrottle.interval })
    }

    /// Where commands as well as key frames get lost, and a command that was followed is not followed again.
    @Test func withoutPLIKeyFramesAreDemandedByFIR() throws {
        var pair = VideoPair(conditions: .path(delay: 20, loss: 0.01), seed: 6, usesNACK: false, usesFIR: true)
        try pair.run(seconds: 30)
        expectSound(pair, "no pli")
        #expect(pair.keyFrameTimes.count > 5 && pair.receiver.counters.pliCount == 0)
        #expect(pair.receiver.counters.firCount == UInt64(pair.requestTimes.count))
        #expect(pair.longestGap() < .milliseconds(1000 + 200 + 300 + 200 + 100))
    }

    @Test func afterAnOutageAKeyFrameComesAtOnce() throws {
        var pair = VideoPair(conditions: .path(delay: 25))
        try pair.run(seconds: 3)
        pair.forward.conditions.loss = .random(rate: 1)
        try pair.run(seconds: 2.5)
        pair.forward.conditions.loss = .none
        let back = pair.now
        try pair.run(seconds: 3)
        expectSound(pair, "outage")
        let first = pair.shown.first { $0.time > back }
        #expect(first.map { $0.time - back < .milliseconds(1600) } == true)
        #expect(pair.metrics.freezeCount == 1 && pair.metrics.pauseCount == 0)
        #expect(pair.keyFrameTimes.count <= 3)
        // What was sent again came late and made the delay longer for a while.
        #expect(pair.shown.last.map { $0.index > pair.sentCount - 18 } == true)
    }

    @Test func aReceiverThatComesLateAsksAtOnce() throws {
        var pair = VideoPair(conditions: .path(delay: 25))
        pair.forward.conditions.loss = .random(rate: 1)
        try pair.run(seconds: 2)
        pair.forward.conditions.loss = .none
        let joined = pair.now
        try pair.run(seconds: 1)
        #expect(pair.requestTimes.first.map { $0 - joined < .milliseconds(70) } == true)
        #expect(pair.shown.first.map { $0.time - joined < .milliseconds(220) } == true)
    }

    /// A camera that falls silent is asked for a picture, a screen is not.
    @Test(arguments: [VideoReceiver.Expectation.motion, .whatComes, .nothing])
    func aSilentSenderIsAskedIfItIsExpectedToSend(_ expectation: VideoReceiver.Expectation) throws {
        var pair = VideoPair(conditions: .path(delay: 20))
        pair.receiver.expect(expectation, at: pair.now)
        try pair.run(seconds: 2)
        for _ in 0..<10 {
            try pair.run(seconds: 1) { _, _, _ in nil }
            pair.report()
        }
        #expect(pair.requestTimes.count == (expectation == .motion ? 3 : 0))
        #expect(pair.shown.count >= 58)
    }

    /// All of the last picture of a screen is lost: nothing but the sender's report tells.
    @Test func whatAStillScreenShowedLastComesAfterAll() throws {
        var pair = VideoPair(conditions: .path(delay: 20))
        try pair.run(seconds: 2)
        pair.report()
        try pair.run(seconds: 5, encode: VideoPair.stillFrame)
        pair.report()
        #expect(pair.requestTimes.isEmpty)
        pair.forward.conditions.loss = .random(rate: 1)
        try pair.run(seconds: 0.1)
        pair.forward.conditions.loss = .none
        let last = pair.sentCount
        pair.report()
        try pair.run(seconds: 10, encode: VideoPair.stillFrame)
        #expect(pair.requestTimes.count == 1 && pair.shown.last.map { $0.index >= last } == true)
    }

    @Test func aDecoderThatFailsGetsAKeyFrame() throws {
        var pair = VideoPair(conditions: .path(delay: 20))
        pair.decode = { index, frame in index != 60 }
        try pair.run(seconds: 4)
        #expect(pair.keyFrameTimes.count == 2)
        #expect(pair.longestGap() < .milliseconds(200))
        #expect(pair.receiver.counters.decodingFailureCount == 1)
    }

    @Test func theUpperLayerIsLeftOutForASlowPeer() throws {
        var pair = VideoPair(conditions: .path(delay: 20))
        try pair.run(seconds: 2)
        pair.sender.highestLayer = 0
        try pair.run(seconds: 3)
        expectSound(pair, "one layer")
        let late = pair.shown.filter { $0.time > .zero + .seconds(2) + .milliseconds(100) }
        #expect(late.allSatisfy { $0.index % 2 == 0 } && late.count >= 40)
        #expect(pair.requestTimes.isEmpty && pair.keyFrameTimes.count == 1)
    }

    @Test func aSenderThatBeginsAnewIsFollowed() throws {
        var pair = VideoPair(conditions: .path(delay: 20))
        try pair.run(seconds: 2)
        let other = VideoPair(conditions: .path(delay: 20), seed: 99)
        pair.sender = other.sender
        pair.stream = other.stream
        pair.throttle.request(at: pair.now)
        let before = pair.shown.count
        try pair.run(seconds: 2)
        #expect(pair.shown.count > before + 50)
    }

    @Test func deadlinesMoveForward() throws {
        var pair = VideoPair(conditions: .path(delay: 40, loss: 0.2, jitter: 10, reorders: true), seed: 8)
        for _ in 0..<200 {
            try pair.run(seconds: 0.02)
            pair.feed { receiver, now, out in
                receiver.tick(at: now, into: &out)
                #expect(receiver.deadline.map { $0 > now } ?? true)
            }
        }
    }

    @Test(arguments: VideoCodec.allCases) func realPicturesArriveOverALossyPath(codec: VideoCodec) throws {
        var pair = VideoPair(codec: codec, conditions: .path(delay: 30, loss: 0.1, jitter: 4, reorders: true), seed: 9)
        let (encode, log) = try Self.realPictures(codec, of: &pair)
        try pair.run(seconds: 6, encode: encode)
        #expect(pair.receiver.counters.decodingFailureCount == 0)
        #expect(Double(pair.shown.count) > 0.75 * Double(pair.sentCount))
        for (index, picture) in log.pictures { #expect(Self.timecode(of: picture.bytes) == index) }
    }

    /// Every other frame goes missing without a freeze, and comes back without a key frame.
    @Test(arguments: VideoCodec.allCases) func theUpperLayerGoesAndComesBack(codec: VideoCodec) throws {
        var pair = VideoPair(codec: codec, conditions: .path(delay: 20))
        let (encode, log) = try Self.realPictures(codec, of: &pair)
        var counts: [Int] = []
        for highestLayer in [Int.max, 0, .max] {
            pair.sender.highestLayer = highestLayer
            let before = pair.shown.count
            try pair.run(seconds: 3, encode: encode)
            counts.append(pair.shown.count - before)
        }
        #expect(counts[0] > 85 && (43...48).contains(counts[1]) && counts[2] > 85, "\(counts)")
        #expect((43...46).contains(pair.sender.counters.framesLeftOut))
        #expect(pair.receiver.counters.decodingFailureCount == 0 && pair.receiver.counters.framesDropped == 0)
        #expect(pair.requestTimes.isEmpty && pair.keyFrameTimes.count == 1 && pair.metrics.freezeCount == 0)
        for (index, picture) in log.pictures { #expect(Self.timecode(of: picture.bytes) == index) }
    }

    private static let size = VideoSize(width: 160, height: 96)

    /// Has a pair send what libvpx encodes, and decode it.
    private static func realPictures(
        _ codec: VideoCodec, of pair: inout VideoPair
    ) throws -> (encode: VideoPair.Encode, log: DecodedLog) {
        let encoder = try VPXEncoder(codec, settings: .init(size: size, frameRate: 30, bitrate: 400_000))
        let decoder = try VPXDecoder(codec)
        let log = DecodedLog()
        pair.decode = { index, frame in
            guard let picture = try? frame.bytes.withUnsafeBytes({ try decoder.decode($0) }) else { return false }
            log.pictures.append((index, picture))
            return true
        }
        return ({ try encoder.encode(picture($0, time: $1), asKeyFrame: $2) }, log)
    }

    /// Ten bright and dark bars that spell the number, over a texture that moves: libvpx's VP9 may keep a flat bar for a
    /// frame too long.
    private static func picture(_ index: Int, time: MonoTime) -> VideoFrame {
        var frame = VideoFrame.black(size, time: time)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let isBright = index >> (column / 16) & 1 == 1
                let texture = ((column + index * 3) * 5 + row * 3) & 63
                frame.bytes[row * size.width + column] = UInt8(16 + texture + (isBright ? 120 : 0))
            }
        }
        return frame
    }

    private static func timecode(of bytes: [UInt8]) -> Int {
        (0..<10).reduce(0) { $0 | (bytes[size.width * 40 + $1 * 16 + 8] > 108 ? 1 << $1 : 0) }
    }
}

private final class DecodedLog {
    var pictures: [(Int, DecodedPicture)] = []
}

extension VideoPair {
    /// The numbers of the key frames sent.
    var keyFrameTimesIndices: [Int] {
        keyFrameTimes.map { Int((($0 - .zero).seconds / Self.interval.seconds).rounded()) }
    }

    /// The base layer's frame before `index`.
    func previousBase(of index: Int) -> Int {
        let even = index % 2 == 0 ? index - 2 : index - 1
        return max(even, keyFrameTimesIndices.last { $0 < index } ?? -1)
    }
}
