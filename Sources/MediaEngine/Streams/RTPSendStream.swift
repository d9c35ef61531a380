package import Primitives
package import RTP

/// One stream that this side sends to one peer: numbers its packets, writes them and counts them.
package struct RTPSendStream: Sendable {
    package let origin: StreamOrigin
    /// The RTP clock of the payloads.
    package var clockRateHz: Int32
    package var payloadType: PayloadType
    /// The id under which the RFC 6464 level was negotiated; `nil`: it was not.
    package var levelExtensionID: UInt8?
    /// The media section that the stream belongs to, 1…16 bytes, under the id that was negotiated for it (RFC 9143,
    /// section 15.2); `nil`: none was. Browsers drop packets without it where it was.
    package var mid: HeaderExtensionElement?
    /// What the packets say of their departure, which is filled in as they leave; `nil`: nothing was negotiated.
    package var departure: DepartureExtension?
    /// Packets written.
    package private(set) var packetCount: UInt64 = 0
    /// Bytes of payload written.
    package private(set) var payloadByteCount: UInt64 = 0
    /// Bytes of RTP headers written.
    package private(set) var headerByteCount: UInt64 = 0
    /// Key frames that the peer asked for, by PLI and by FIR.
    package internal(set) var pictureLossCount: UInt64 = 0
    package internal(set) var intraRequestCount: UInt64 = 0
    /// When the last packet was written.
    package private(set) var lastSent: MonoTime?

    private var nextSequenceNumber: SequenceNumber
    /// The timestamp written last, and when what it stands for was sampled.
    private var lastTimestamp: UInt32
    private var lastSampled: MonoTime?
    /// Where the sound goes on if nothing is left out.
    private var nextPosition: Int64?

    package init(
        origin: StreamOrigin, payloadType: PayloadType, clockRateHz: Int32, levelExtensionID: UInt8? = nil
    ) {
        self.origin = origin
        self.payloadType = payloadType
        self.clockRateHz = clockRateHz
        self.levelExtensionID = levelExtensionID
        nextSequenceNumber = origin.sequenceNumber
        lastTimestamp = origin.timestamp
    }

    package var ssrc: SSRC {
        origin.ssrc
    }

    /// Writes the packet that carries `payload` to the front of `buffer`, without allocating.
    ///
    /// `position` is the payload's place in the sound, in ticks of the RTP clock from any fixed origin, and `ticks` its
    /// length; it was sampled at `sampled`. `type`: the stream's payload type, where it is another one for this packet. A
    /// payload that does not follow the one before it starts a talkspurt and is marked (RFC 3551, section 4.1). Returns
    /// the packet's length; 0: it does not fit, and nothing was numbered or counted.
    package mutating func write(
        _ payload: UnsafeRawBufferPointer, type: PayloadType? = nil, position: Int64, ticks: Int32,
        level: AudioLevelExtension?, sampledAt sampled: MonoTime, at now: MonoTime,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let timestamp = origin.timestamp &+ UInt32(truncatingIfNeeded: position)
        let header = RTPHeader(
            marker: position != nextPosition, payloadType: type ?? payloadType, sequenceNumber: nextSequenceNumber,
            timestamp: timestamp, ssrc: ssrc)
        var writer = RTPPacketWriter(into: buffer, header: header)
        if let level, let levelExtensionID {
            writer.append(extension: levelExtensionID, level.byte)
        }
        if let mid { writer.append(extension: mid.id, mid.value) }
        if let departure {
            writer.append(extension: departure.id, repeatElement(0, count: departure.byteCount))
        }
        writer.append(payload: payload)
        guard let byteCount = writer.finish() else { return 0 }
        nextSequenceNumber = nextSequenceNumber + 1
        nextPosition = position &+ Int64(ticks)
        lastTimestamp = timestamp
        lastSampled = sampled
        count(packet: byteCount, payload: payload.count, at: now)
        return byteCount
    }

    /// The packet that carries `payload`, which was sampled (taken by a camera, say) at `sampled` and has `timestamp`.
    /// `extensions` come behind the stream's own. `nil`: an extension that the format cannot carry; nothing was counted.
    package mutating func makePacket(
        _ payload: [UInt8], marker: Bool, timestamp: UInt32, sampledAt sampled: MonoTime,
        extensions: [HeaderExtensionElement] = [], padding: UInt8 = 0, at now: MonoTime
    ) -> [UInt8]? {
        let header = RTPHeader(
            marker: marker, payloadType: payloadType, sequenceNumber: nextSequenceNumber, timestamp: timestamp,
            ssrc: ssrc)
        let packet = RTPPacket.bytes(
            header, extensions: extensionElements + extensions, payload: payload, padding: padding)
        guard let packet else { return nil }
        nextSequenceNumber = nextSequenceNumber + 1
        lastTimestamp = timestamp
        lastSampled = sampled
        count(packet: packet.count, payload: payload.count, at: now)
        return packet
    }

    /// What each packet of `makePacket` has: the section that it belongs to, and room for its departure.
    var extensionElements: [HeaderExtensionElement] {
        [mid, departure?.element].compactMap { $0 }
    }

    /// The timestamp of what is sampled at `sampled`, on a clock that runs with the monotonic one.
    package func timestamp(of sampled: MonoTime) -> UInt32 {
        origin.timestamp &+ UInt32(truncatingIfNeeded: (sampled - .zero).rtpTicks(rateHz: clockRateHz))
    }

    private mutating func count(packet: Int, payload: Int, at now: MonoTime) {
        lastSent = now
        packetCount += 1
        payloadByteCount += UInt64(payload)
        headerByteCount += UInt64(packet - payload)
    }

    /// Whether a packet was written in the `period` before `now`.
    package func hasSent(within period: Duration, of now: MonoTime) -> Bool {
        lastSent.map { now - $0 <= period } ?? false
    }

    /// What a sender report says at `now`, which is `ntp` on the wall clock; `nil`: nothing was sent yet.
    package func senderReport(ntp: NTPTime, at now: MonoTime) -> SenderReport? {
        guard let lastSampled else { return nil }
        let elapsed = (now - lastSampled).rtpTicks(rateHz: clockRateHz)
        return SenderReport(
            sender: ssrc, ntp: ntp, rtpTimestamp: lastTimestamp &+ UInt32(truncatingIfNeeded: elapsed),
            packetCount: UInt32(truncatingIfNeeded: packetCount),
            byteCount: UInt32(truncatingIfNeeded: payloadByteCount))
    }
}

extension Duration {
    /// The duration in ticks of a clock of `rateHz`, truncated.
    func rtpTicks(rateHz: Int32) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds &* Int64(rateHz) &+ rest * Int64(rateHz) / 1_000_000_000
    }
}
