import Primitives
import Reactor

extension PeerTransport {
    /// Makes the session, now that it is known whom to expect, and gives it what has come early.
    func startDTLS(_ role: DTLSRole) throws(TransportError) {
        let session = try DTLSSession(
            role, identity: identity, fingerprints: remoteFingerprints, profiles: configuration.profiles)
        dtls = session
        let waiting = early
        early = []
        for datagram in waiting { datagram.withUnsafeBytes { session.receive($0) } }
        if role == .client, agent.hasBeenUp, waiting.isEmpty { session.start() }
        pumpDTLS()
    }

    func receiveDTLS(_ datagram: UnsafeRawBufferPointer, at now: MonoTime) {
        guard let dtls else {
            guard early.count < Self.earlyLimit else {
                counters.drops.earlyOverflow += 1
                return
            }
            early.append([UInt8](datagram))
            return
        }
        measureRoundTrip(at: now)
        dtls.receive(datagram)
        pumpDTLS()
        receiveData(dtls.takeData())
    }

    /// The first flight may wait at the peer for its signalling, so the shortest answer counts (and none after a
    /// retransmission, which could be the answer to either).
    private func measureRoundTrip(at now: MonoTime) {
        guard let sent = flightSent, dtls?.state == .handshaking else { return }
        flightSent = nil
        counters.handshakeRoundTrip = min(now - sent, counters.handshakeRoundTrip ?? now - sent)
    }

    /// Sends what the session has made, arms its timer and acts on its state.
    func pumpDTLS() {
        guard let dtls else { return }
        flushDTLS(impaired: true)
        armDTLSTimer()
        switch dtls.state {
        case .handshaking: break
        case .connected(let keys): takeKeys(keys)
        case .failed(let error):
            data?.close(reason: error.description)
            fail(error)
        case .closed: remoteHungUp()
        }
    }

    func flushDTLS(impaired: Bool) {
        guard let flight = dtls?.takeOutgoing(), !flight.isEmpty else { return }
        flightSent = agent.hasBeenUp && dtls?.retransmissionCount == 0 ? .now() : nil
        for datagram in flight {
            guard agent.hasBeenUp else {
                if held.count < Self.heldLimit { held.append(datagram) }
                continue
            }
            datagram.withUnsafeBytes { impaired ? transmit($0) : put($0) }
        }
    }

    private func takeKeys(_ keys: SRTPKeys) {
        if link == nil {
            do {
                link = try SRTPLink(configuration.breaksKeys ? keys.broken : keys)
            } catch {
                return fail(error)
            }
            if let begun, counters.setUpTime == nil { counters.setUpTime = .now() - begun }
        }
        if agent.isUp { enter(.connected) }
        connectData()
    }

    private func remoteHungUp() {
        guard !hasRemoteClosed else { return }
        hasRemoteClosed = true
        link = nil
        data?.close(reason: "the peer has hung up")
        emit(.remoteClosed)
    }
}

extension SRTPKeys {
    /// The same keys with a bit of each turned over.
    var broken: SRTPKeys {
        var broken = self
        broken.sending[0] ^= 1
        broken.receiving[0] ^= 2
        return broken
    }
}
