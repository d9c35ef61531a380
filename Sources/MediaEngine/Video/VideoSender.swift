package import Primitives
package import RTP

/// One video stream on its way to one peer: numbers the frames of an encoder, cuts them into packets, and sends again
/// what the peer misses, in a stream of its own where that was negotiated (RFC 4588).
///
/// The packets are numbered and counted by the `RTPSendStream` that the session reports on. Several senders may take the
/// frames of one encoder.
package struct VideoSender: Sendable {
    package struct Configuration: Sendable {
        package var codec: VideoCodec
        /// Bytes of an RTP packet, at most.
        package var packetByteCount = 1200
        /// Further elements of each packet, such as its RID (RFC 8852).
        package var extensions: [HeaderExtensionElement] = []
        /// The same for packets sent again.
        package var retransmissionExtensions: [HeaderExtensionElement] = []

        package init(codec: VideoCodec) {
            self.codec = codec
        }
    }

    package private(set) var configuration: Configuration
    /// Frames of higher layers in time are not sent: the peer's share of the bandwidth is too small (`VideoLayerPlan`).
    package var highestLayer = Int.max
    /// Nothing is sent before a key frame; ask the encoder for one.
    package private(set) var awaitsKeyFrame = true
    package private(set) var counters = VideoSenderCounters()
    /// The stream of what is sent again; `nil`: the packets themselves are sent again.
    package var retransmission: RTPSendStream?

    private var numbering: PictureNumbering
    private var history = PacketHistory()

    /// - Parameters:
    ///   - retransmission: has the timestamp origin of the stream itself (RFC 4588, section 4).
    ///   - random: where the picture numbers begin.
    package init(
        _ configuration: Configuration, retransmission: RTPSendStream?, using random: inout some RandomNumberGenerator
    ) {
        self.configuration = configuration
        self.retransmission = retransmission
        numbering = PictureNumbering(
            codec: configuration.codec, first: PictureID(.random(in: 0...0x7FFF, using: &random)),
            baseIndex: .random(in: 0...255, using: &random))
    }

    /// Another encoder's frames follow: they begin with a key frame.
    package mutating func restart() {
        awaitsKeyFrame = true
    }

    /// Frames of another encoding follow: they begin with a key frame, and nothing from before is sent again.
    /// `retransmissionType`: the number of their repetitions; `nil`: they have none, and no later encoding has.
    package mutating func use(_ codec: VideoCodec, retransmissionType: PayloadType?) {
        configuration.codec = codec
        numbering.codec = codec
        history = PacketHistory()
        if let retransmissionType { retransmission?.payloadType = retransmissionType } else { retransmission = nil }
        restart()
    }

    /// Cuts a frame, taken at `captured`, into packets of `stream`. Empty: it is not for this peer.
    package mutating func send(
        _ frame: EncodedVideoFrame, capturedAt captured: MonoTime, through stream: inout RTPSendStream,
        at now: MonoTime
    ) -> [OutgoingVideoPacket] {
        guard !frame.bytes.isEmpty, frame.isKeyFrame || !awaitsKeyFrame else { return [] }
        guard frame.temporalLayer <= highestLayer else {
            counters.framesLeftOut += 1
            return []
        }
        awaitsKeyFrame = false
        let timestamp = stream.timestamp(of: captured)
        let payloads = numbering.payloads(of: frame, limit: payloadLimit(stream))
        counters.count(frame)
        return payloads.indices.compactMap { index in
            let marker = index + 1 == payloads.count
            let packet = stream.makePacket(
                payloads[index], marker: marker, timestamp: timestamp, sampledAt: captured,
                extensions: configuration.extensions, at: now)
            guard let packet, let number = Self.number(of: packet) else { return nil }
            history.append(
                PacketHistory.Packet(
                    sequenceNumber: number, timestamp: timestamp, sampled: captured, marker: marker,
                    payload: payloads[index], bytes: packet, sent: now))
            return OutgoingVideoPacket(bytes: packet, isRetransmission: false)
        }
    }

    /// Answers a negative acknowledgement: what is still known, each packet once in a round trip.
    package mutating func retransmit(
        _ missing: [SequenceNumber], roundTrip: Duration?, at now: MonoTime
    ) -> [OutgoingVideoPacket] {
        counters.nackCount += 1
        let pause = max(roundTrip ?? .milliseconds(100), .milliseconds(5))
        return missing.compactMap { number in
            guard let packet = history.resend(number, pause: pause, at: now), let bytes = copy(of: packet, at: now)
            else { return nil }
            counters.retransmittedPacketCount += 1
            counters.retransmittedByteCount += UInt64(packet.payload.count)
            return OutgoingVideoPacket(bytes: bytes, isRetransmission: true)
        }
    }

    private mutating func copy(of packet: PacketHistory.Packet, at now: MonoTime) -> [UInt8]? {
        guard retransmission != nil else { return packet.bytes }
        let payload = RetransmissionPayload.bytes(packet.sequenceNumber, original: packet.payload)
        return retransmission?.makePacket(
            payload, marker: packet.marker, timestamp: packet.timestamp, sampledAt: packet.sampled,
            extensions: configuration.retransmissionExtensions, at: now)
    }

    /// Padding of about `byteCount` bytes on the wire, to probe the path, in the stream of what is sent again: beyond what
    /// padding can be long (RFC 3550, section 5.1), a late packet once more. `nil`: there is no such stream, or nothing
    /// was sent yet.
    package mutating func makePadding(byteCount: Int, at now: MonoTime) -> OutgoingVideoPacket? {
        guard retransmission != nil, let last = history.recent(nearestTo: byteCount) else { return nil }
        let room = byteCount - RTPHeader.byteCount
        guard room <= 255 || last.bytes.count < 255 else {
            return copy(of: last, at: now).map { OutgoingVideoPacket(bytes: $0, isRetransmission: true) }
        }
        let bytes = retransmission?.makePacket(
            [], marker: false, timestamp: last.timestamp, sampledAt: last.sampled,
            padding: UInt8(room.clamped(to: 1...255)), at: now)
        return bytes.map { OutgoingVideoPacket(bytes: $0, isRetransmission: true) }
    }

    private func payloadLimit(_ stream: RTPSendStream) -> Int {
        let all = stream.extensionElements + configuration.extensions
        let extensions = all.isEmpty ? 0 : all.reduce(4 + 3) { $0 + 1 + $1.value.count }
        return configuration.packetByteCount - RTPHeader.byteCount - extensions
            - RetransmissionPayload.headerByteCount
    }

    private static func number(of packet: [UInt8]) -> SequenceNumber? {
        (try? RTPPacket(parsing: packet.span.bytes))?.header.sequenceNumber
    }
}
