import MediaEngine
import Primitives
import RTP
import Testing

@Suite struct RTCPSessionTests {
    private func makeSession(reducedSize: Bool = true, seed: UInt64 = 1, sends: Bool = true) -> RTCPSession {
        var session = RTCPSession(
            .init(canonicalName: "alpha", localSSRC: SSRC(10), usesReducedSize: reducedSize), seed: seed,
            ntp: NTPTime(unixNanoseconds: 1_800_000_000_000_000_000), at: .zero)
        if sends {
            let origin = StreamOrigin(ssrc: SSRC(10), sequenceNumber: SequenceNumber(100), timestamp: 0)
            session.senders = [RTPSendStream(origin: origin, payloadType: PayloadType(111), clockRateHz: 48_000)]
        }
        session.receivers = [RTPReceiveStream(clockRateHz: 48_000)]
        return session
    }

    private func packets(_ out: Outbox<RTCPSession.Event>) throws -> [[RTCPPacket]] {
        try out.datagrams.map { try RTCPCompound(parsing: $0.span.bytes).packets }
    }

    private func receive(
        _ packets: [RTCPPacket], into session: inout RTCPSession, at now: MonoTime = .zero
    ) -> [RTCPSession.Event] {
        var out = Outbox<RTCPSession.Event>()
        session.receive(RTCPCompound(packets).bytes.span.bytes, at: now, into: &out)
        return out.events
    }

    private func tick(_ session: inout RTCPSession, at now: MonoTime) throws -> [RTCPPacket] {
        var out = Outbox<RTCPSession.Event>()
        session.tick(at: now, into: &out)
        return try packets(out).first ?? []
    }

    private func sendPacket(_ session: inout RTCPSession, at now: MonoTime) {
        var buffer = [UInt8](repeating: 0, count: 100)
        _ = buffer.withUnsafeMutableBytes { buffer in
            [UInt8](repeating: 1, count: 40).withUnsafeBytes {
                session.senders[0].write($0, position: 0, ticks: 960, level: nil, sampledAt: now, at: now, into: buffer)
            }
        }
    }

    @Test func aReportGoesOutAtLeastOnceASecondAndNotInStep() throws {
        var session = makeSession()
        var last = MonoTime.zero
        var intervals: Set<Int64> = []
        _ = try tick(&session, at: .zero)
        for _ in 0..<500 {
            let due = try #require(session.deadline)
            #expect(due > last)
            #expect(due - last < .seconds(1))
            intervals.insert((due - last).nanoseconds)
            #expect(try !tick(&session, at: due).isEmpty)
            last = due
        }
        #expect(intervals.count > 490)
        #expect(session.counters.sentDatagramCount == 501)
    }

    @Test func oneWhoSendsNothingReportsWithAReferenceTime() throws {
        var session = makeSession()
        let report = try tick(&session, at: .zero)
        #expect(report.first == .receiverReport(.init(sender: SSRC(10))))
        #expect(report.dropFirst().first == .sourceDescription([.init(source: SSRC(10), canonicalName: "alpha")]))
        guard case .extendedReport(let extended) = report.last, case .referenceTime = extended.blocks.first else {
            Issue.record("no reference time")
            return
        }
    }

    @Test func oneWhoSendsReportsOnItselfUntilItStops() throws {
        var session = makeSession()
        sendPacket(&session, at: .zero)
        guard case .senderReport(let report) = try tick(&session, at: .zero).first else {
            Issue.record("no sender report")
            return
        }
        #expect(report.packetCount == 1)
        #expect(report.byteCount == 40)
        let later = try tick(&session, at: .zero + .seconds(3))
        #expect(later.first == .receiverReport(.init(sender: SSRC(10))))
    }

    @Test func oneWithoutStreamsReportsAllTheSame() throws {
        var session = makeSession(sends: false)
        session.receivers = []
        #expect(try tick(&session, at: .zero).first == .receiverReport(.init(sender: SSRC(10))))
    }

    @Test func tickBeforeItsTimeDoesNothing() throws {
        var session = makeSession()
        _ = try tick(&session, at: .zero)
        #expect(try tick(&session, at: .zero + .milliseconds(499)).isEmpty)
    }

    @Test func feedbackGoesAloneOnlyWhereThatWasNegotiated() throws {
        let feedback = RTCPPacket.pictureLoss(sender: SSRC(10), media: SSRC(20))
        for (reduced, count) in [(true, 1), (false, 4)] {
            var session = makeSession(reducedSize: reduced)
            var out = Outbox<RTCPSession.Event>()
            session.send(feedback, at: .zero, into: &out)
            let sent = try packets(out)
            #expect(sent.first?.count == count)
            #expect(sent.first?.last == feedback)
        }
    }

    @Test func goodbyeIsTheLastThingSaid() throws {
        var session = makeSession()
        var out = Outbox<RTCPSession.Event>()
        session.close(reason: "leaving", at: .zero, into: &out)
        session.close(reason: "leaving", at: .zero, into: &out)
        session.send(.pictureLoss(sender: SSRC(10), media: SSRC(20)), at: .zero, into: &out)
        session.tick(at: .zero + .seconds(9), into: &out)
        let sent = try packets(out)
        #expect(sent.count == 1)
        #expect(sent.first?.last == .goodbye(.init(sources: [SSRC(10)], reason: "leaving")))
        guard case .receiverReport = sent.first?.first else {
            Issue.record("goodbye without a report before it")
            return
        }
        #expect(session.deadline == nil)
    }

    @Test func goodbyeOfThePeerIsTold() {
        var session = makeSession()
        let events = receive([.goodbye(.init(sources: [SSRC(20)], reason: "bye"))], into: &session)
        #expect(events == [.goodbye([SSRC(20)], reason: "bye")])
    }

    @Test func feedbackOfThePeerIsTold() {
        var session = makeSession()
        let missing = [SequenceNumber(5), SequenceNumber(6)]
        let events = receive(
            [
                .nack(.init(sender: SSRC(20), media: SSRC(10), missing: missing)),
                .pictureLoss(sender: SSRC(20), media: SSRC(10)),
                .maximumBitrate(.init(sender: SSRC(20), bitsPerSecond: 64_000, media: [SSRC(10)])),
            ], into: &session)
        #expect(
            events == [.packetsMissing(SSRC(10), missing), .keyFrameWanted(SSRC(10)), .bitrateLimited(64_000)])
    }

    @Test func aRepeatedIntraRequestIsOneDemand() {
        var session = makeSession()
        func request(_ number: UInt8, media: UInt32 = 10) -> RTCPPacket {
            .fullIntraRequest(.init(sender: SSRC(20), entries: [.init(media: SSRC(media), number: number)]))
        }
        let events = receive([request(1), request(1), request(2), request(3, media: 99)], into: &session)
        #expect(events == [.keyFrameWanted(SSRC(10)), .keyFrameWanted(SSRC(10))])
    }

    @Test func reportsOnOthersAreIgnored() {
        var session = makeSession()
        let block = ReportBlock(
            source: SSRC(99), fractionLost: 5, cumulativeLost: 5, highestSequence: 5, jitter: 0)
        #expect(receive([.receiverReport(.init(sender: SSRC(20), blocks: [block]))], into: &session).isEmpty)
    }

    @Test func whatThePeerLosesIsCountedFromTheFirstPacket() {
        var session = makeSession()
        func block(_ highest: UInt32, lost: Int32) -> [RTCPPacket] {
            let block = ReportBlock(
                source: SSRC(10), fractionLost: 64, cumulativeLost: lost, highestSequence: highest, jitter: 480)
            return [.receiverReport(.init(sender: SSRC(20), blocks: [block]))]
        }
        #expect(receive(block(149, lost: 5), into: &session) == [.receptionReported(SSRC(10))])
        let first = session.remoteReception(of: SSRC(10))
        #expect(first?.expectedSinceReport == 50)
        #expect(first?.lostSinceReport == 5)
        #expect(first?.fractionLost == 0.25)
        #expect(first?.jitter == .milliseconds(10))
        _ = receive(block(199, lost: 4), into: &session)
        #expect(session.remoteReception(of: SSRC(10))?.expectedSinceReport == 50)
        #expect(session.remoteReception(of: SSRC(10))?.lostSinceReport == -1)
        _ = receive(block(120, lost: 0), into: &session)
        #expect(session.remoteReception(of: SSRC(10))?.expectedSinceReport == 0)
        #expect(session.remoteReception(of: SSRC(10))?.lostSinceReport == 0)
    }

    @Test func malformedReportsAreCounted() {
        var session = makeSession()
        var out = Outbox<RTCPSession.Event>()
        session.receive([UInt8(0x80), 201].span.bytes, at: .zero, into: &out)
        session.receive([UInt8(0x81), 201, 0, 1, 0, 0, 0, 1].span.bytes, at: .zero, into: &out)
        session.receive([UInt8(0x80), 204, 0, 1, 0, 0, 0, 1].span.bytes, at: .zero, into: &out)
        #expect(out.isEmpty)
        #expect(session.counters.unframedCount == 1)
        #expect(session.counters.malformedCount == 1)
        #expect(session.counters.skippedCount == 1)
        #expect(session.counters.receivedDatagramCount == 3)
    }

    @Test(arguments: [
        // (what the peer adds to the time it was sent, its delay, the round trip in ms)
        (Int64(0), UInt32(0), Double?(100)), (0, 3277, 50), (100, 0, 0), (140, 0, 0), (200, 0, nil), (30_000, 0, nil),
        (-70_000, 0, nil), (0, .max, 100),
    ])
    func implausibleTimesGiveNoRoundTrip(addedMilliseconds: Int64, delay: UInt32, expected: Double?) {
        var session = makeSession()
        let claimed = NTPTime(unixNanoseconds: 1_800_000_000_000_000_000 + addedMilliseconds * 1_000_000)
        let block = ReportBlock(
            source: SSRC(10), fractionLost: 0, cumulativeLost: 0, highestSequence: 100, jitter: 0,
            lastSenderReport: claimed.middle, delaySinceLastSenderReport: delay)
        _ = receive(
            [.receiverReport(.init(sender: SSRC(20), blocks: [block]))], into: &session,
            at: .zero + .milliseconds(100))
        let measured = session.roundTrip.latest?.milliseconds
        #expect((measured == nil) == (expected == nil))
        #expect(abs((measured ?? 0) - (expected ?? 0)) < 0.1)
    }

    @Test func noDatagramTrapsTheSession() {
        var session = makeSession()
        var random = SplitMix64(seed: 4)
        let block = ReportBlock(
            source: SSRC(10), fractionLost: 1, cumulativeLost: 1, highestSequence: 1, jitter: 1, lastSenderReport: 1)
        let corpus: [[UInt8]] = [
            RTCPCompound([.receiverReport(.init(sender: SSRC(20), blocks: [block, block]))]).bytes,
            RTCPCompound([
                .extendedReport(
                    .init(
                        sender: SSRC(20),
                        blocks: [
                            .referenceTime(NTPTime(bits: 7)),
                            .delays([
                                .init(receiver: SSRC(10), lastReferenceTime: 5, delaySinceLastReferenceTime: 6)
                            ]),
                        ]))
            ]).bytes,
            RTCPCompound([.nack(.init(sender: SSRC(20), media: SSRC(10), missing: [SequenceNumber(1)]))]).bytes,
        ]
        for step in 0..<20_000 {
            var bytes = corpus[step % corpus.count]
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            var out = Outbox<RTCPSession.Event>()
            session.receive(bytes.span.bytes, at: .zero + .milliseconds(step * 40), into: &out)
            if step % 20 == 0 { session.tick(at: .zero + .milliseconds(step * 40), into: &out) }
            #expect(out.datagrams.allSatisfy { $0.count < 500 })
        }
        #expect(session.counters.receivedDatagramCount == 20_000)
    }
}
