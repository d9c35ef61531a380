import Primitives
import Reactor
import Signaling
import Transport

/// The authentication string with one peer.
extension PeerSession {
    static func makeAuthentication(
        member: RoomMember, context: Context, using random: inout SystemRandomNumberGenerator
    ) -> AuthenticationString? {
        guard let room = try? RoomName(context.room),
            let fingerprint = CertificateFingerprint(bytes: context.identity.fingerprint.digest)
        else { return nil }
        return AuthenticationString(
            room: room, own: .init(id: context.myID, fingerprint: fingerprint), peer: member.id, using: &random)
    }

    func perform(_ actions: [AuthenticationAction]?) {
        for action in actions ?? [] {
            switch action {
            case .send(let message): owner?.peer(self, says: message)
            case .show(let code):
                if let remoteFingerprint { owner?.peer(self, authenticated: code, remoteFingerprint) }
            case .refuse(let error): owner?.peer(self, refused: error)
            }
        }
    }
}
