import MediaEngine
import Primitives
import RTP
import Testing

/// Two sessions over two simulated links, on a virtual clock.
@Suite struct RTCPPairTests {
    private struct Side {
        var session: RTCPSession
        var outgoing: LossyLink
        var nextMedia: MonoTime?
        var position: Int64 = 0
        var roundTrips: [Duration] = []

        init(ssrc: UInt32, conditions: LossyLink.Conditions, ntpSeconds: Int64, sends: Bool) {
            session = RTCPSession(
                .init(canonicalName: "side \(ssrc)", localSSRC: SSRC(ssrc)), seed: UInt64(ssrc),
                ntp: NTPTime(unixNanoseconds: ntpSeconds * 1_000_000_000), at: .zero)
            var random = SplitMix64(seed: UInt64(ssrc))
            var origin = StreamOrigin(using: &random)
            origin.ssrc = SSRC(ssrc)
            session.senders = [
                RTPSendStream(
                    origin: origin, payloadType: PayloadType(111), clockRateHz: 48_000, levelExtensionID: 1)
            ]
            session.receivers = [RTPReceiveStream(clockRateHz: 48_000)]
            outgoing = LossyLink(conditions, seed: UInt64(ssrc))
            nextMedia = sends ? .zero : nil
        }

        mutating func sendMedia(at now: MonoTime) {
            var buffer = [UInt8](repeating: 0, count: 200)
            let count = buffer.withUnsafeMutableBytes { buffer in
                [UInt8](repeating: 0x78, count: 60).withUnsafeBytes {
                    session.senders[0].write(
                        $0, position: position, ticks: 960, level: .silence, sampledAt: now, at: now, into: buffer)
                }
            }
            outgoing.enqueue(Array(buffer[..<count]), at: now)
            position += 960
            nextMedia = now + .milliseconds(20)
        }

        mutating func tick(at now: MonoTime) {
            var out = Outbox<RTCPSession.Event>()
            session.tick(at: now, into: &out)
            for datagram in out.datagrams {
                outgoing.enqueue(datagram, at: now)
            }
        }

        mutating func receive(_ datagram: [UInt8], at now: MonoTime) {
            var out = Outbox<RTCPSession.Event>()
            if DatagramClass(datagram.span.bytes) == .rtcp {
                session.receive(datagram.span.bytes, at: now, into: &out)
            } else if let packet = try? RTPPacket(parsing: datagram.span.bytes) {
                _ = session.receivers[0].receive(
                    packet.header, payloadByteCount: packet.payloadRange.count, at: now)
            }
            for case .roundTrip(let time) in out.events {
                roundTrips.append(time)
            }
        }
    }

    private func step(_ side: inout Side, toward other: inout Side, at now: MonoTime) {
        if let due = side.nextMedia, due <= now { side.sendMedia(at: now) }
        if let due = side.session.deadline, due <= now { side.tick(at: now) }
        while let datagram = side.outgoing.dequeue(at: now) {
            other.receive(datagram, at: now)
        }
    }

    private func run(_ one: inout Side, _ two: inout Side, seconds: Int) {
        let end = MonoTime.zero + .seconds(seconds)
        var now = MonoTime.zero
        while now < end {
            step(&one, toward: &two, at: now)
            step(&two, toward: &one, at: now)
            let next = [one, two].reduce(nil as MonoTime?) { due, side in
                earlier(due, earlier(side.nextMedia, earlier(side.session.deadline, side.outgoing.nextDelivery)))
            }
            now = max(next ?? end, now + .microseconds(1))
        }
    }

    private func conditions(delay: Int, loss: Double) -> LossyLink.Conditions {
        var conditions = LossyLink.Conditions()
        conditions.delay = .milliseconds(delay)
        conditions.loss = loss > 0 ? .random(rate: loss) : .none
        return conditions
    }

    @Test func bothKnowTheRoundTripThoughTheirClocksDiffer() {
        var one = Side(ssrc: 1, conditions: conditions(delay: 30, loss: 0), ntpSeconds: 1_800_000_000, sends: true)
        var two = Side(ssrc: 2, conditions: conditions(delay: 50, loss: 0), ntpSeconds: 1_234_567_890, sends: true)
        run(&one, &two, seconds: 20)
        for side in [one, two] {
            #expect(side.roundTrips.count > 15)
            #expect(side.roundTrips.allSatisfy { abs($0.milliseconds - 80) < 1 })
        }
    }

    @Test func theMutedKnowTheRoundTripToo() {
        var one = Side(ssrc: 1, conditions: conditions(delay: 19, loss: 0), ntpSeconds: 1_800_000_000, sends: false)
        var two = Side(ssrc: 2, conditions: conditions(delay: 19, loss: 0), ntpSeconds: 1_700_000_000, sends: false)
        run(&one, &two, seconds: 10)
        for side in [one, two] {
            #expect(side.session.roundTrip.latest.map { abs($0.milliseconds - 38) < 1 } == true)
            #expect(side.session.receivers[0].lastReceived == nil)
        }
    }

    @Test func eachSideLearnsWhatTheOtherLoses() throws {
        var one = Side(ssrc: 1, conditions: conditions(delay: 20, loss: 0.1), ntpSeconds: 1_800_000_000, sends: true)
        var two = Side(ssrc: 2, conditions: conditions(delay: 20, loss: 0), ntpSeconds: 1_800_000_000, sends: true)
        run(&one, &two, seconds: 60)
        let lossy = try #require(one.session.remoteReception(of: SSRC(1)))
        #expect(abs(Double(lossy.packetsLost) / 3000 - 0.1) < 0.02)
        #expect(Int64(lossy.packetsLost) <= two.session.receivers[0].counters.lostCount)
        #expect(two.session.remoteReception(of: SSRC(2))?.packetsLost == 0)
    }

    @Test func theReportsCostLittle() {
        var one = Side(ssrc: 1, conditions: conditions(delay: 20, loss: 0), ntpSeconds: 1_800_000_000, sends: true)
        var two = Side(ssrc: 2, conditions: conditions(delay: 20, loss: 0), ntpSeconds: 1_800_000_000, sends: true)
        run(&one, &two, seconds: 60)
        #expect(one.session.counters.sentByteCount * 8 / 60 < 1500)
        #expect(one.session.counters.sentDatagramCount >= 60)
    }
}
