import Primitives
import Reactor

extension PeerTransport {
    /// Data was agreed on, after the peer's fingerprints and role were: channels may be opened from now on. The same
    /// again changes nothing; another port or limit begins a new association.
    package func startData(_ parameters: SCTPParameters) throws(TransportError) {
        guard state != .closed, data?.parameters != parameters else { return }
        guard let role = dtls?.role else {
            throw TransportError(.sctp, "data channels need the peer's fingerprint first")
        }
        stopData()
        data = try SCTPTransport(
            parameters, isDTLSClient: role == .client,
            onPacket: { [weak self] in self?.sendData($0) },
            onEvent: { [weak self] in self?.emit(.data($0)) })
        connectData()
    }

    /// Data is agreed on no longer.
    package func stopData() {
        data?.close()
        data = nil
    }

    /// Begins the association as soon as both DTLS and the agreement are there.
    func connectData() {
        guard let data, case .connected = dtls?.state else { return }
        do {
            try data.connect()
        } catch {
            data.close(reason: error.description)
        }
    }

    func receiveData(_ packets: [[UInt8]]) {
        for packet in packets {
            guard let data else {
                counters.drops.strayData += 1
                continue
            }
            data.receive(packet)
        }
    }

    private func sendData(_ packet: [UInt8]) {
        guard let dtls else { return }
        if !dtls.send(packet) { counters.drops.unsendable += 1 }
        flushDTLS(impaired: true)
    }
}
