internal import Primitives
internal import RTP

extension VideoReceiver {
    mutating func take(_ packet: RTPPacket, of datagram: RawSpan, at now: MonoTime) {
        let header = packet.header
        let payload = datagram.extracting(packet.payloadRange)
        if let codec = configuration.codecs[header.payloadType] {
            take(header, payload, codec: codec, at: now)
        } else if let original = configuration.retransmissions[header.payloadType] {
            takeRepeated(header, payload, original: original, at: now)
        } else {
            counters.foreignPacketCount += 1
        }
    }

    private mutating func take(_ header: RTPHeader, _ payload: RawSpan, codec: VideoCodec, at now: MonoTime) {
        if header.ssrc != ssrc || codec != self.codec {
            if ssrc != nil { restart() }
            ssrc = header.ssrc
            self.codec = codec
        }
        let sequence = sequences.unwrap(header.sequenceNumber.rawValue)
        guard payload.byteCount > 0 else {
            receivePadding(sequence, at: now)
            return
        }
        insert(header, payload, sequence: sequence, codec: codec, at: now)
    }

    private mutating func takeRepeated(
        _ header: RTPHeader, _ payload: RawSpan, original: PayloadType, at now: MonoTime
    ) {
        // Padding, which probes the bandwidth, has no original.
        guard let repeated = RetransmissionPayload.original(in: payload) else { return }
        guard let codec, configuration.codecs[original] == codec else {
            counters.foreignPacketCount += 1
            return
        }
        counters.retransmittedPacketCount += 1
        counters.retransmittedByteCount += UInt64(repeated.payload.count)
        insert(
            header, payload.extracting(repeated.payload), sequence: sequences.peek(repeated.number.rawValue),
            codec: codec, at: now)
    }

    private mutating func insert(
        _ header: RTPHeader, _ payload: RawSpan, sequence: Int64, codec: VideoCodec, at now: MonoTime
    ) {
        guard !isStale(sequence, timestamp: header.timestamp, at: now) else { return }
        demand.isSent(at: now)
        let parsed =
            switch codec {
            case .vp8: VideoPayload(vp8: payload)
            case .vp9: VideoPayload(vp9: payload)
            }
        guard let parsed else {
            counters.malformedPacketCount += 1
            return
        }
        account(sequence, at: now)
        if packets.isFull { giveUp(at: now) }
        if dependencies.needsKeyFrame { demand.want(at: now) }
        if parsed.isKeyFrame { demand.keyFrameArrives(at: now) }
        let packet = VideoPacketBuffer.Packet(
            sequence: sequence, timestamp: header.timestamp, marker: header.marker, payload: parsed,
            bytes: payload.extracting(parsed.headerByteCount..<payload.byteCount).bytes, arrival: now)
        if let frame = packets.insert(packet) { store(frame, at: now) }
    }

    /// Whether the packet has come before, or its frame's time is over.
    private mutating func isStale(_ sequence: Int64, timestamp: UInt32, at now: MonoTime) -> Bool {
        if let last = dependencies.lastSequence, sequence <= last {
            // The frame that it would have made whole was given up too early: the delay is too short.
            if nacks.takeAbandoned(sequence) { timing.record(timestamp: timestamp, completion: now) }
            counters.discardedPacketCount += 1
            staleCount += 1
            if staleCount >= Self.maximumStaleCount { restart() }
            return true
        }
        staleCount = 0
        guard packets.contains(sequence) || frames.contains(where: { $0.sequences.contains(sequence) }) else {
            return false
        }
        counters.discardedPacketCount += 1
        return true
    }

    private mutating func receivePadding(_ sequence: Int64, at now: MonoTime) {
        guard dependencies.lastSequence.map({ sequence > $0 }) ?? true else { return }
        account(sequence, at: now)
        dependencies.receivePadding(sequence)
    }

    /// Notes that a number came, and what is missing before it.
    private mutating func account(_ sequence: Int64, at now: MonoTime) {
        if !nacks.receive(sequence) { giveUp(at: now) }
    }

    private mutating func store(_ frame: AssembledFrame, at now: MonoTime) {
        counters.framesReceived += 1
        if frame.payload.isKeyFrame { counters.keyFramesReceived += 1 }
        if frame.sequences.count > 1 {
            counters.framesAssembledFromMultiplePackets += 1
            counters.totalAssemblyTime += frame.completion - frame.firstArrival
        }
        timing.record(timestamp: frame.timestamp, completion: frame.completion)
        if frames.count >= Self.maximumFrameCount || frameByteCount >= VideoPacketBuffer.maximumByteCount {
            giveUp(at: now)
        }
        let place = frames.lastIndex { $0.sequences.upperBound < frame.sequences.lowerBound }.map { $0 + 1 } ?? 0
        frames.insert(frame, at: place)
        frameByteCount += frame.bytes.count
    }

    /// Nothing of what is here can be decoded any more: it waits for a key frame.
    mutating func giveUp(at now: MonoTime) {
        dropAll()
        dependencies.reset()
        demand.want(at: now)
    }

    /// The stream begins anew.
    private mutating func restart() {
        dropAll()
        dependencies = FrameDependencies()
        nacks.reset()
        timing.reset()
        sequences = Unwrapper()
        staleCount = 0
        waitBegan = nil
        reported = nil
        lastRenderTime = .zero
        ssrc = nil
    }

    private mutating func dropAll() {
        counters.framesDropped += UInt64(frames.count)
        frames.removeAll()
        frameByteCount = 0
        packets.removeAll()
        nacks.forget(through: nacks.newest ?? 0)
    }
}
