package import Primitives
import Reactor

/// How a peer connection's transport is set up.
package struct TransportConfiguration: Sendable {
    /// Which local addresses are offered.
    package enum LocalAddresses: Hashable, Sendable {
        /// Those of all interfaces but loopback.
        case interfaces
        /// Those of all interfaces and loopback.
        case interfacesAndLoopback
        /// These, in numbers.
        case only([String])

        var current: [String] {
            switch self {
            case .interfaces: InterfaceAddresses.current(withLoopback: false)
            case .interfacesAndLoopback: InterfaceAddresses.current(withLoopback: true)
            case .only(let addresses): addresses
            }
        }
    }

    package var localAddresses = LocalAddresses.interfaces
    /// UDP ports for media; `nil`: any.
    package var mediaPorts: ClosedRange<UInt16>?
    /// The address, or its name, under which a one-to-one NAT shows this machine, offered beside each private IPv4 candidate.
    package var publicAddress: String?
    /// The STUN and TURN servers; `nil`: none.
    package var servers: ICEServerPool?
    /// Whether media may take no way but that over a TURN server (W3C `iceTransportPolicy` `relay`): the peer then learns
    /// none of this machine's addresses.
    package var relaysOnly = false
    /// Finds the address behind a name below `.local`, under which a browser hides it; none: it cannot be found here.
    package var lookUpPeer: @EngineActor @Sendable (String) async -> [String] = { name in
        await HostLookup.addresses(of: name, within: .seconds(2))
    }
    /// SRTP profiles in the order of preference.
    package var profiles: [SRTPProfile] = [.aeadAES128GCM, .aes128CMSHA1Tag80]
    /// How long a pair may be dead before it is final; a suspended machine needs about 3 s to find its peer again.
    package var failureGrace = Duration.seconds(5)
    /// What is done to each datagram on its way out, between SRTP and ICE (ICE's own checks are spared).
    package var impairment: LossyLink?
    /// Uses wrong SRTP keys, so that a check that media arrives can be seen to fail.
    package var breaksKeys = false

    package init() {}
}
