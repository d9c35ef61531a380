import Primitives
import RTP
import Reactor

/// SRTP of one association, both directions.
final class SRTPLink {
    let profile: SRTPProfile
    let outgoing: SRTPContext
    let incoming: SRTPContext

    init(_ keys: SRTPKeys) throws(TransportError) {
        profile = keys.profile
        outgoing = try SRTPContext(.sending, keys.profile, masterKey: keys.sending)
        incoming = try SRTPContext(.receiving, keys.profile, masterKey: keys.receiving)
    }
}

extension PeerTransport {
    /// Protects and sends one plain RTP packet. Without keys or a pair, or if it is too long, it is counted and dropped.
    package func sendRTP(_ packet: RawSpan) {
        send(packet) { link, buffer, count in link.outgoing.protectRTP(buffer, count: count) }
    }

    /// Protects and sends one plain RTCP packet, compound or reduced-size.
    package func sendRTCP(_ packet: RawSpan) {
        send(packet) { link, buffer, count in link.outgoing.protectRTCP(buffer, count: count) }
    }

    /// As `sendRTP(_:)` of a span.
    package func sendRTP(_ packet: [UInt8]) {
        sendRTP(packet.span.bytes)
    }

    /// As `sendRTCP(_:)` of a span.
    package func sendRTCP(_ packet: [UInt8]) {
        sendRTCP(packet.span.bytes)
    }

    private func send(_ packet: RawSpan, protect: (SRTPLink, UnsafeMutableRawBufferPointer, Int) -> Int?) {
        guard let link, packet.byteCount + SRTPContext.overhead <= buffer.count else {
            counters.drops.unsendable += 1
            return
        }
        packet.withUnsafeBytes { buffer.copyMemory(from: $0) }
        guard let count = protect(link, buffer, packet.byteCount) else {
            counters.drops.unsendable += 1
            return
        }
        transmit(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }

    /// Sends a datagram through the impairment, if there is one.
    func transmit(_ datagram: UnsafeRawBufferPointer) {
        guard let impairment else { return put(datagram) }
        impairment.send(datagram, at: .now())
    }

    /// Hands a datagram to ICE.
    func put(_ datagram: UnsafeRawBufferPointer) {
        guard agent.send(datagram) else {
            counters.drops.socketRefused += 1
            return
        }
        counters.packetsSent += 1
        counters.bytesSent += UInt64(datagram.count)
    }

    /// Takes a datagram from ICE; its buffer may be written during the call.
    func receive(_ datagram: UnsafeMutableRawBufferPointer) {
        let now = MonoTime.now()
        counters.packetsReceived += 1
        counters.bytesReceived += UInt64(datagram.count)
        counters.lastReceived = now
        switch DatagramClass(UnsafeRawBufferPointer(datagram).bytes) {
        case .dtls: receiveDTLS(UnsafeRawBufferPointer(datagram), at: now)
        case .rtp: receiveMedia(.rtp, datagram, at: now)
        case .rtcp: receiveMedia(.rtcp, datagram, at: now)
        // libnice keeps STUN and TURN to itself.
        case .stun, .turnChannel, .unknown: counters.drops.malformed += 1
        }
    }

    private func receiveMedia(_ kind: MediaKind, _ packet: UnsafeMutableRawBufferPointer, at now: MonoTime) {
        guard let link else {
            counters.drops.beforeKeys += 1
            return
        }
        let outcome = kind == .rtp ? link.incoming.unprotectRTP(packet) : link.incoming.unprotectRTCP(packet)
        switch outcome {
        case .plain(let count): onPacket?(kind, UnsafeRawBufferPointer(rebasing: packet[..<count]).bytes, now)
        case .notAuthentic: counters.drops.notAuthentic += 1
        case .replayed: counters.drops.replayed += 1
        case .malformed: counters.drops.malformed += 1
        }
    }

    /// The transport at this moment. Reads the sockets' own counters, so it is for once a second.
    package var statistics: TransportStatistics {
        var statistics = counters
        statistics.localUfrag = agent.credentials.ufrag
        statistics.selectedPair = agent.selectedPair
        statistics.drops.socketOverflow = agent.socketDropCount
        statistics.drops.candidates += agent.unknownCount
        if let data {
            statistics.sctpState = data.state
            statistics.dataDrops = data.counters
        }
        if let link = impairment?.link {
            statistics.impairedCount = link.enqueuedCount
            statistics.impairmentLostCount = link.lostCount
        }
        guard let dtls else { return statistics }
        statistics.dtlsRole = dtls.role
        statistics.dtlsRetransmissions = dtls.retransmissionCount
        statistics.srtpCipher = link?.profile.name
        statistics.dtlsState = dtls.state.name
        if case .handshaking = dtls.state { return statistics }
        statistics.tlsVersion = dtls.version
        statistics.dtlsCipher = dtls.cipher
        return statistics
    }
}

extension DTLSSession.State {
    var name: DTLSStateName {
        switch self {
        case .handshaking: .connecting
        case .connected: .connected
        case .closed: .closed
        case .failed: .failed
        }
    }
}
