import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling
import Transport

/// The chat of a call. It goes from member to member, so who comes later has not seen what was said before.
extension RoomCall {
    /// Whom a message has reached, and for the others why not.
    struct ChatOutcome {
        var reached: [MemberID] = []
        var unreached: [MemberID: String] = [:]
    }

    /// Writes to everybody, or to `some` alone. What reaches nobody is not kept.
    func say(_ text: ChatText, to some: [RoomMember]?) -> ChatOutcome {
        var outcome = ChatOutcome()
        for member in some ?? members {
            do throws(DataChannelError) {
                guard let peer = peers[member.id] else { throw .notConnected }
                try peer.say(text)
                outcome.reached.append(member.id)
            } catch {
                outcome.unreached[member.id] = error.description
            }
        }
        guard !outcome.reached.isEmpty, let me = client?.id else { return outcome }
        keep(text, from: me, name: settings.name, to: some?.map(\.id.rawValue))
        return outcome
    }

    func peer(_ peer: PeerSession, said text: ChatText) {
        keep(text, from: peer.member.id, name: name(of: peer.member.id), to: nil)
    }

    func peerSaysTooMuch(_ peer: PeerSession) {
        happened(.warning, peer.member.id, "\(peer.member.shownName) writes too fast: messages are dropped")
    }

    private func keep(_ text: ChatText, from id: MemberID, name: String, to some: [String]?) {
        let time = Int(Date().timeIntervalSince1970 * 1000)
        let message = ChatMessage(time: time, from: id.rawValue, name: name, text: text.text, to: some)
        chat.append(message)
        owner?.call(self, said: message)
        owner?.callChanged(self)
    }
}
