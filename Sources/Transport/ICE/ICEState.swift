import CNice

/// The states of webrtc's `RTCIceTransportState`.
package enum ICEState: String, Sendable {
    case new
    case checking
    /// A pair works; others may still be checked.
    case connected
    /// A pair works and checks are over.
    case completed
    /// A pair that worked has stopped to.
    case disconnected
    case failed
    case closed

    init(_ state: NiceComponentState) {
        switch state {
        case NICE_COMPONENT_STATE_CONNECTING: self = .checking
        case NICE_COMPONENT_STATE_CONNECTED: self = .connected
        case NICE_COMPONENT_STATE_READY: self = .completed
        case NICE_COMPONENT_STATE_FAILED: self = .failed
        default: self = .new
        }
    }
}

/// The pair over which datagrams travel.
package struct ICECandidatePair: Hashable, Sendable {
    package var local: ICECandidate
    package var remote: ICECandidate
    /// The TURN server that relays for us; `nil`: none does.
    package var relay: ICEServer?

    package init(local: ICECandidate, remote: ICECandidate, relay: ICEServer? = nil) {
        self.local = local
        self.remote = remote
        self.relay = relay
    }
}

extension ICECandidate {
    /// This candidate without the address that it comes from, which relaying is to hide (RFC 8839, section 5.1).
    var withoutRelated: ICECandidate {
        var hidden = self
        if related != nil { hidden.related = Related(address: isIPv6 ? "::" : "0.0.0.0", port: 9) }
        return hidden
    }

    /// This candidate as a one-to-one NAT with `publicAddress` shows it: what a STUN server would report. `nil` for
    /// candidates that such a NAT does not map.
    func mapped(to publicAddress: String) -> ICECandidate? {
        guard kind == .host, publicAddress.contains(":") == isIPv6, publicAddress != address,
            !Self.isLoopback(address), !Self.isLoopback(publicAddress)
        else { return nil }
        var mapped = self
        mapped.kind = .serverReflexive
        mapped.foundation = "n" + foundation.prefix(31)
        mapped.priority = priority & 0x00FF_FFFF | 100 << 24
        mapped.address = publicAddress
        mapped.related = Related(address: address, port: port)
        return mapped
    }

    private static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1"
    }
}
