import Signaling

/// Placeholder until the authentication machine is there.
struct PeerAuthentication {
    var remoteFingerprints: [String] = []
}
