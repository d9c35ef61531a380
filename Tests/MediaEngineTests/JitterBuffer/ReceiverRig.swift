import CAllocationCounter
import Glibc
import MediaEngine
import Primitives

/// A sender, a lossy link and a receiver on a virtual clock.
final class ReceiverRig {
    /// What the sender makes; changed between runs.
    struct Sending {
        var frameSampleCount = 960
        /// The sender's clock against ours.
        var driftPartsPerMillion = 0.0
        var hasRedundancy = false
        var isSilent = false
        /// How many earlier payloads each packet repeats (RFC 2198).
        var copyCount = 0
        /// A muted sender's media time goes on; nothing is sent.
        var isMuted = false
        var payloadType: UInt8 = 111
        var ssrc: UInt32 = 7
    }

    static let payloadType: UInt8 = 111

    var sending = Sending()
    var link: LossyLink
    let receiver: AudioReceiver
    private(set) var output: [Float] = []
    private(set) var now = MonoTime.zero
    private(set) var sentCount = 0
    /// Allocations inside the receiver.
    private(set) var allocationCount = 0
    var sequence: UInt16 = 65_400
    var timestamp: UInt32 = .max - 50_000
    /// Makes the payload of the frame that begins at a sample.
    var makePayload: ((Int) -> [UInt8])?
    /// Whether every second pair of frames is asked for at once.
    var pullsInPairs = false
    private var nextSend = MonoTime.zero
    private var nextPull = MonoTime(nanoseconds: 3_000_000)
    private var mediaTime = 0
    private var isResuming = true
    /// What was sent of late, the newest last, as a packet carries it.
    private var sent: [[UInt8]] = []

    init(_ conditions: LossyLink.Conditions = .init(), seed: UInt64 = 1, decoders: [AudioDecoderEntry]) {
        link = LossyLink(conditions, seed: seed)
        receiver = AudioReceiver(decoders: decoders)
    }

    /// A rig whose sender sounds a sine of amplitude 0.5.
    convenience init(toneHz: Double, _ conditions: LossyLink.Conditions = .init(), seed: UInt64 = 1) {
        let decoder = SignalDecoder { Float(0.5 * sin(2 * .pi * toneHz * Double($0) / 48_000)) }
        self.init(
            conditions, seed: seed,
            decoders: [AudioDecoderEntry(payloadType: Self.payloadType, decoder: decoder, rtpClockRateHz: 48_000)])
    }

    var statistics: AudioReceiverStatistics {
        receiver.statistics
    }

    /// Runs for `seconds`; returns what was played meanwhile.
    @discardableResult
    func run(seconds: Double) -> [Float] {
        let end = now + .fractional(seconds: seconds)
        let begin = output.count
        while true {
            let next = [nextSend, nextPull, link.nextDelivery ?? nextPull].min() ?? nextPull
            guard next < end else { break }
            now = next
            if nextSend == next { send() }
            while let datagram = link.dequeue(at: now) { deliver(datagram, at: now) }
            if nextPull == next { pull() }
        }
        now = end
        return Array(output[begin...])
    }

    /// Runs as `run` does, and keeps nothing.
    func settle(seconds: Double) {
        let begin = output.count
        run(seconds: seconds)
        output.removeSubrange(begin...)
    }

    private func send() {
        let count = sending.frameSampleCount
        defer {
            mediaTime += count
            timestamp &+= UInt32(count)
            let period = Double(count) / 48_000 / (1 + sending.driftPartsPerMillion * 1e-6)
            nextSend += .fractional(seconds: period)
        }
        guard !sending.isMuted else {
            isResuming = true
            return
        }
        let payload =
            makePayload?(mediaTime)
            ?? SignalDecoder.payload(
                from: mediaTime, count: count, hasRedundancy: sending.hasRedundancy, isSilent: sending.isSilent)
        guard !payload.isEmpty else {
            isResuming = true
            return
        }
        let copies = sent.suffix(sending.copyCount)
        sent = sent.suffix(1) + [header() + payload]
        // The packet's own part first, each with its length before it.
        link.enqueue(
            (sent.suffix(1) + copies.reversed()).flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 },
            at: now)
        isResuming = false
        sequence &+= 1
        sentCount += 1
    }

    private func header() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(sending.payloadType)
        writer.write(UInt8(isResuming ? 1 : 0))
        writer.write(sequence)
        writer.write(timestamp)
        writer.write(sending.ssrc)
        return writer.bytes
    }

    private func deliver(_ datagram: [UInt8], at arrival: MonoTime) {
        var rest = datagram[...]
        var isCopy = false
        while let high = rest.popFirst(), let low = rest.popFirst() {
            let count = Int(high) << 8 | Int(low)
            insert(Array(rest.prefix(count)), at: arrival, isCopy: isCopy)
            rest = rest.dropFirst(count)
            isCopy = true
        }
    }

    private func insert(_ part: [UInt8], at arrival: MonoTime, isCopy: Bool) {
        func number(_ range: Range<Int>) -> UInt32 { part[range].reduce(0) { $0 << 8 | UInt32($1) } }
        let packet = AudioPacket(
            stream: 0, payloadType: part[0], marker: part[1] != 0, sequenceNumber: UInt16(number(2..<4)),
            ssrc: number(8..<12), timestamp: number(4..<8), level: 255, arrival: arrival, isCopy: isCopy)
        part.withUnsafeBytes { bytes in
            callocationcounter_start()
            receiver.insert(packet, payload: UnsafeRawBufferPointer(rebasing: bytes[12...]))
            allocationCount += callocationcounter_stop()
        }
    }

    private func pull() {
        pullOnce()
        if pullsInPairs { pullOnce() }
        nextPull += .milliseconds(pullsInPairs ? 20 : 10)
    }

    private func pullOnce() {
        let begin = output.count
        output.append(contentsOf: repeatElement(.nan, count: 480))
        output.withUnsafeMutableBufferPointer { output in
            callocationcounter_start()
            receiver.pull(into: UnsafeMutableBufferPointer(rebasing: output[begin...]), at: now)
            allocationCount += callocationcounter_stop()
        }
    }
}
