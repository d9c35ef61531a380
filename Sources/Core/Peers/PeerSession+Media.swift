import MediaEngine
import Primitives
import RTP
import Reactor
import SDP
import Signaling
import Transport

/// RTP and RTCP of one peer.
extension PeerSession {
    /// Sends one encoded packet to the peer, if it is by the codec that was agreed on.
    func send(_ audio: AudioPath.EncodedAudio, payload: UnsafeRawBufferPointer) {
        guard !isClosed, hasConnected, let media, media.direction.sends, media.sending.codec == audio.codec,
            encodings.takes(audio)
        else { return }
        let sent = audio.sent
        let rate = Int64(media.sending.codec.clockRateHz)
        let scale = rate / Int64(AudioFormat.rateHz / 6000)
        let position = audio.position * scale / 6000
        let now = MonoTime.now()
        let write = { [self] (payload: UnsafeRawBufferPointer, type: PayloadType?) in
            rtcp.senders[0].write(
                payload, type: type, position: position, ticks: Int32(Int64(sent.sampleCount) * scale / 6000),
                level: AudioLevelExtension(belowOverload: sent.level.rfc6464, isVoice: sent.hasVoice),
                sampledAt: sent.captureTime, at: now, into: buffer)
        }
        let packed = repeater.pack(payload, type: media.sending.payloadType, position: position, copies: copies)
        let count = packed?.withUnsafeBytes { write($0, media.redundancy) } ?? write(payload, nil)
        guard count > 0 else { return }
        path.sendAudio(
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), isNumbered: rtcp.senders[0].departure != nil,
            at: now)
    }

    func received(_ kind: MediaKind, _ bytes: RawSpan, at arrival: MonoTime) {
        guard !isClosed else { return }
        runLiveness { $0.receive(bytes, at: $1, into: &$2) }
        switch kind {
        case .rtcp: runRTCP { $0.receive(bytes, at: $1, into: &$2) }
        case .rtp: receiveRTP(bytes, at: arrival)
        }
    }

    private func receiveRTP(_ bytes: RawSpan, at arrival: MonoTime) {
        let packet = try? RTPPacket(parsing: bytes)
        if let packet { path.received(packet, of: bytes, at: arrival) }
        if let packet, let video, video.parameters.takes(packet.header.payloadType) {
            return video.receive(packet, of: bytes, at: arrival)
        }
        guard context.direction.receives, let packet, let media,
            let sound = ReceivedSound(packet, of: bytes, media)
        else {
            history.unusablePackets += 1
            return
        }
        took(sound.format)
        switch rtcp.receivers[0].receive(packet.header, payloadByteCount: packet.payloadRange.count, at: arrival) {
        case .dropped: return
        case .restarted: owner?.peerRestartedStream(self)
        case .accepted: break
        }
        guard !media.isHeldByPeer || !packet.payloadRange.isEmpty else { return }
        let level = media.audioLevelExtension.flatMap { packet.audioLevel(id: $0, in: bytes) }
        let audio = AudioPacket(
            stream: -1, payloadType: sound.format.payloadType.rawValue, marker: packet.header.marker,
            sequenceNumber: packet.header.sequenceNumber.rawValue, ssrc: packet.header.ssrc.rawValue,
            timestamp: packet.header.timestamp, level: level?.belowOverload ?? 255, arrival: arrival)
        bytes.extracting(sound.payload).withUnsafeBytes { owner?.peer(self, received: audio, payload: $0) }
        for copy in sound.copies(after: audio) {
            bytes.extracting(copy.payload).withUnsafeBytes { owner?.peer(self, received: copy.packet, payload: $0) }
        }
    }

    private func took(_ format: AudioParameters.Format) {
        guard format != receiving else { return }
        receiving = format
        rtcp.receivers[0].clockRateHz = Int32(format.codec.clockRateHz)
    }

    func runRTCP(_ body: (inout RTCPSession, MonoTime, inout Outbox<RTCPSession.Event>) -> Void) {
        var out = Outbox<RTCPSession.Event>()
        body(&rtcp, .now(), &out)
        if hasConnected {
            for datagram in out.datagrams { transport.sendRTCP(datagram.span.bytes) }
        }
        rtcpTimer?.arm(at: isClosed || !hasConnected ? nil : rtcp.deadline)
        for event in out.events { took(event) }
    }

    private func took(_ event: RTCPSession.Event) {
        guard !isClosed else { return }
        path.took(event)
        if video?.took(event) == true { return }
        switch event {
        case .receptionReported(let ssrc):
            guard let reception = rtcp.remoteReception(of: ssrc) else { return }
            history.report(reception, at: .now())
            redundancy.report(LossBucket(reception), at: .now())
            owner?.peer(self, reported: reception)
        // One stream has ended (RFC 3550, section 6.3.7). Browsers say so at each hold; who hangs up ends DTLS too.
        case .goodbye(_, let reason): goodbye = reason
        case .roundTrip, .senderReported, .keyFrameWanted, .packetsMissing, .bitrateLimited, .packetsArrived: break
        }
    }
}
