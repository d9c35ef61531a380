/// Why no path to a peer works, told from what both sides had to offer; one line that says what to do.
struct PathDiagnosis: Hashable, CustomStringConvertible {
    /// The kinds of candidates that this side and the peer have named.
    var local: Set<ICECandidate.Kind> = []
    var remote: Set<ICECandidate.Kind> = []
    var relaysOnly = false
    /// Whether this side knows a TURN server.
    var hasRelays = false

    var description: String {
        if relaysOnly, !hasRelays {
            return "network.ice-policy is relay, and no TURN server is known; name one in network.ice-servers"
        }
        if relaysOnly, !local.contains(.relayed) {
            return "no TURN server relays for us, and network.ice-policy allows nothing else; hoot doctor says why"
        }
        if remote.isEmpty {
            return "the other side has named no address at all; it may be offline, or its network blocks UDP"
        }
        if local.contains(.relayed) || remote.contains(.relayed) {
            return
                "no path works, not even over a TURN server: a firewall may block UDP; try turns: in network.ice-servers"
        }
        if hasRelays {
            return "no direct path works, and no TURN server relays for us; hoot doctor says why"
        }
        if local.contains(.serverReflexive) || remote.contains(.serverReflexive) {
            return
                "no direct path works: both sides seem to be behind symmetric NATs or firewalls, and no TURN server is "
                + "configured; name one in network.ice-servers on either side"
        }
        return "no direct path works, and neither side knows a STUN or TURN server; name one in network.ice-servers"
    }
}
