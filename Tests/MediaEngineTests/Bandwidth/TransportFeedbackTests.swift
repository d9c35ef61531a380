import MediaEngine
import Primitives
import RTP
import Testing

/// What the receiver tells, and what the sender makes of it.
@Suite struct TransportFeedbackTests {
    private func at(_ milliseconds: Int) -> MonoTime {
        .zero + .milliseconds(milliseconds)
    }

    private func number(_ value: Int) -> SequenceNumber {
        SequenceNumber(UInt16(truncatingIfNeeded: value))
    }

    /// The feedback that is due, over the wire.
    private func feedback(_ recorder: inout TransportFeedbackRecorder, at now: MonoTime) throws -> [TransportFeedback] {
        try recorder.makeFeedback(at: now).flatMap { feedback in
            let bytes = RTCPCompound([.transportFeedback(feedback)]).bytes
            return try RTCPCompound(parsing: bytes.span.bytes).packets.compactMap { packet in
                if case .transportFeedback(let told) = packet { told } else { nil }
            }
        }
    }

    @Test func nothingIsDueBeforeAnythingArrives() {
        var recorder = TransportFeedbackRecorder(sender: SSRC(1))
        #expect(recorder.deadline == nil)
        #expect(recorder.makeFeedback(at: at(1000)).isEmpty)
    }

    /// 68 bytes each may take a twentieth of what is received.
    @Test(arguments: [(20_000, 250), (109_000, 100), (2_000_000, 50)])
    func theIntervalFollowsTheBitrate(bitrate: Int, milliseconds: Int) {
        var recorder = TransportFeedbackRecorder(sender: SSRC(1))
        var sent: [MonoTime] = []
        for index in 0..<3000 {
            let now = at(index)
            if index % 10 == 0 {
                recorder.receive(number(index / 10), of: SSRC(2), byteCount: bitrate / 800, at: now)
            }
            if let due = recorder.deadline, due <= now, !recorder.makeFeedback(at: now).isEmpty { sent.append(now) }
        }
        let intervals = zip(sent, sent.dropFirst()).map { ($1 - $0).milliseconds }
        #expect(intervals.suffix(5).allSatisfy { abs($0 - Double(milliseconds)) <= 11 })
        #expect(recorder.deadline.map { $0 > at(2990) } ?? true)
    }

    @Test func arrivalsAndLossesReachTheSender() throws {
        var history = SendHistory(first: SequenceNumber(65_530))
        var recorder = TransportFeedbackRecorder(sender: SSRC(1))
        let lost: Set = [3, 4, 9, 17]
        for index in 0..<20 {
            let number = history.add(byteCount: 100 + index, probe: nil, at: at(index * 10))
            #expect(number == self.number(65_530 + index))
            guard !lost.contains(index) else { continue }
            recorder.receive(number, of: SSRC(2), byteCount: 100, at: at(5040 + index * 10 + index % 3))
        }
        let told = try feedback(&recorder, at: at(5300))
        #expect(told.count == 1)
        let report = history.receive(try #require(told.first), at: at(300))
        #expect(report.results.map(\.packet.byteCount) == (0..<20).map { 100 + $0 })
        #expect(Set(report.results.indices.filter { report.results[$0].arrival == nil }) == lost)
        let arrivals = report.results.compactMap(\.arrival)
        #expect((arrivals[1] - arrivals[0]).milliseconds == 11)
        #expect(report.roundTrip == .milliseconds(110))
        #expect(history.oldestUnheard == nil)
    }

    @Test func aLatePacketIsLostAtFirstAndArrivesThen() throws {
        var history = SendHistory()
        var recorder = TransportFeedbackRecorder(sender: SSRC(1))
        for index in 0..<5 {
            let number = history.add(byteCount: 100, probe: nil, at: at(index))
            if index != 2 { recorder.receive(number, of: SSRC(2), byteCount: 100, at: at(40 + index)) }
        }
        let first = history.receive(try #require(try feedback(&recorder, at: at(100)).first), at: at(140))
        #expect(first.results.count { $0.arrival == nil } == 1)
        recorder.receive(number(2), of: SSRC(2), byteCount: 100, at: at(120))
        recorder.receive(number(2), of: SSRC(2), byteCount: 100, at: at(121))
        let late = try feedback(&recorder, at: at(400))
        let second = history.receive(try #require(late.first), at: at(440))
        #expect(second.results.map(\.packet.number) == [2])
        #expect(second.results.first?.arrival != nil)
        #expect(history.receive(try #require(late.first), at: at(441)).results.isEmpty)
    }

    @Test func feedbackOfPacketsThatWereNeverSentIsIgnored() {
        var history = SendHistory()
        _ = history.add(byteCount: 100, probe: nil, at: .zero)
        var random = SplitMix64(seed: 4)
        for _ in 0..<2000 {
            let feedback = TransportFeedback(
                sender: SSRC(1), media: SSRC(2), base: SequenceNumber(.random(in: 1...0xFFFF, using: &random)),
                packetCount: .random(in: 0...200, using: &random),
                referenceTime: .random(in: -0x80_0000...0x7F_FFFF, using: &random), number: 0,
                arrivals: [
                    .init(offset: .random(in: 0...199, using: &random), delta: .random(in: -9...9, using: &random))
                ])
            #expect(history.receive(feedback, at: at(50)).results.allSatisfy { $0.packet.number == 0 })
        }
    }

    @Test func muchThatArrivesAtOnceIsToldInSeveralParts() throws {
        var history = SendHistory()
        var recorder = TransportFeedbackRecorder(sender: SSRC(1))
        for _ in 0..<1000 {
            recorder.receive(history.add(byteCount: 50, probe: nil, at: .zero), of: SSRC(2), byteCount: 50, at: at(20))
        }
        let told = try feedback(&recorder, at: at(70))
        #expect(told.count == 3)
        #expect(told.map(\.number) == [0, 1, 2])
        #expect(told.flatMap { history.receive($0, at: at(90)).results }.count == 1000)
    }

    @Test func aPauseLongerThanADeltaCarriesBeginsAnotherFeedback() throws {
        var history = SendHistory()
        var recorder = TransportFeedbackRecorder(sender: SSRC(1))
        recorder.receive(history.add(byteCount: 50, probe: nil, at: .zero), of: SSRC(2), byteCount: 50, at: at(20))
        recorder.receive(
            history.add(byteCount: 50, probe: nil, at: at(9000)), of: SSRC(2), byteCount: 50, at: at(9020))
        let told = try feedback(&recorder, at: at(9100))
        #expect(told.count == 2)
        let arrivals = told.flatMap { history.receive($0, at: at(9200)).results }.compactMap(\.arrival)
        #expect(arrivals.count == 2)
        #expect((arrivals[1] - arrivals[0]) == .seconds(9))
    }

    @Test func numbersAndTimesSurviveTheirWraps() throws {
        var history = SendHistory(first: SequenceNumber(60_000))
        var recorder = TransportFeedbackRecorder(sender: SSRC(1))
        // The reference time of 24 bits wraps after 12 days.
        let origin = MonoTime.zero + .seconds(0xFF_FFFF * 64 / 1000 - 3)
        var last: MonoTime?
        var arrived = 0
        for index in 0..<1000 {
            let now = origin + .milliseconds(index * 100)
            recorder.receive(history.add(byteCount: 50, probe: nil, at: now), of: SSRC(2), byteCount: 50, at: now)
            for feedback in try feedback(&recorder, at: now) {
                for arrival in history.receive(feedback, at: now).results.compactMap(\.arrival) {
                    if let last { #expect((arrival - last).milliseconds == 100) }
                    last = arrival
                    arrived += 1
                }
            }
        }
        #expect(arrived >= 997)
    }
}
