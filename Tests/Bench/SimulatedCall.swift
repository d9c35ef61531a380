import Codecs
import MediaEngine
import Primitives

/// Packets of 20 ms through a link into an `AudioReceiver`, on a virtual clock.
struct SimulatedCall {
    private(set) var sound: [Float] = []
    private(set) var link: LossyLink
    private let receiver: AudioReceiver
    private let packets: [SoundPacket]

    init(packets: [SoundPacket], link: LossyLink, minimumDelayMilliseconds: Int) throws {
        self.packets = packets
        self.link = link
        var settings = AudioReceiverSettings()
        settings.minimumDelay = .milliseconds(minimumDelayMilliseconds)
        let opus = AudioDecoderEntry(payloadType: 111, decoder: try OpusDecoder(), rtpClockRateHz: 48_000)
        receiver = AudioReceiver(decoders: [opus], settings: settings)
        run()
    }

    /// What the receiver counted, as JSON members.
    var counters: String {
        let values = receiver.statistics
        let delay = values.jitterBufferDelaySeconds / Double(max(1, values.jitterBufferEmittedCount)) * 1000
        return """
            "concealed":\(values.concealedSamples),"repaired":\(values.packetsRepaired),\
            "inserted":\(values.insertedSamplesForDeceleration),"removed":\(values.removedSamplesForAcceleration),\
            "discarded":\(values.packetsDiscarded),"bufferDelayMs":\((delay * 10).rounded() / 10),\
            "targetMs":\(values.targetDelayMilliseconds)
            """
    }

    private mutating func run() {
        var frame = [Float](repeating: 0, count: AudioFormat.frameSampleCount)
        for tick in 0..<packets.count * 2 + 40 {
            // The device's frames begin 3 ms after the sender's.
            let sent = MonoTime(nanoseconds: Int64(tick) * 10_000_000)
            let now = sent + .milliseconds(3)
            if tick % 2 == 0, tick / 2 < packets.count { send(tick / 2, at: sent) }
            while let due = link.nextDelivery, due <= now, let datagram = link.dequeue(at: due) {
                deliver(datagram, at: due)
            }
            frame.withUnsafeMutableBufferPointer { receiver.pull(into: $0, at: now) }
            sound += frame
        }
    }

    private mutating func send(_ index: Int, at now: MonoTime) {
        guard !packets[index].isEmpty else { return }
        var writer = ByteWriter()
        writer.write(UInt32(index))
        link.enqueue(writer.bytes, at: now)
    }

    private func deliver(_ datagram: [UInt8], at arrival: MonoTime) {
        let index = datagram.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let isResuming = index == 0 || packets[Int(index) - 1].isEmpty
        let sentBefore = packets[..<Int(index)].count { !$0.isEmpty }
        let packet = AudioPacket(
            stream: 0, payloadType: SoundPacket.opus.rawValue, marker: isResuming,
            sequenceNumber: UInt16(truncatingIfNeeded: sentBefore), ssrc: 1, timestamp: index &* 960, level: 255,
            arrival: arrival)
        let (own, copies) = packets[Int(index)].payloads
        own.withUnsafeBytes { receiver.insert(packet, payload: $0) }
        for (place, copy) in copies.enumerated() {
            var earlier = packet
            earlier.sequenceNumber &-= UInt16(place + 1)
            earlier.timestamp &-= UInt32(copy.offset)
            earlier.marker = false
            earlier.isCopy = true
            copy.bytes.withUnsafeBytes { receiver.insert(earlier, payload: $0) }
        }
    }
}
