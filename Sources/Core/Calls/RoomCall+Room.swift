import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling
import Transport

/// What the room's server says.
extension RoomCall {
    func took(_ event: RoomEvent) {
        switch event {
        case .welcome(let welcome): welcomed(welcome)
        case .memberJoined(let member): joined(member)
        case .memberLeft(let id, let reason): left(id, reason)
        case .message(let id, let message): received(message, from: id)
        case .waiting: break
        case .reconnecting(let attempt, let next, let reason): lostServer(attempt, next, reason)
        case .reconnected(let change): foundServer(change)
        case .ringing(_, let progress): took(progress)
        case .complaint(let refusal, let about):
            happened(.warning, nil, "the room did not take our \(about): \(refusal.reason)")
        case .knocking, .knock, .knockOver, .expiring, .renewed, .renewalWanted: break
        case .interrupted, .lost, .rejoined: break
        case .incomingRing, .incomingRingEnded: break
        case .closed(let end): execute(lifecycle.closed(end.description))
        }
        owner?.callChanged(self)
    }

    private func welcomed(_ welcome: Welcome) {
        connectedAt = connectedAt ?? Date()
        reconnecting = nil
        members = welcome.members
        useRoomServers()
        for member in welcome.members { connect(to: member, offers: true) }
        execute(lifecycle.signalingConnected())
        happened(.callConnected, nil, "in \(room), \(welcome.members.count + 1) in the call")
        owner?.callRosterChanged(self)
    }

    /// The room's STUN and TURN servers; a host has its own, which these are.
    private func useRoomServers() {
        guard role == .guest, let client else { return }
        settings.transport.servers?.roomServers = client.iceServers.flatMap(\.usable)
    }

    private func joined(_ member: RoomMember) {
        members.removeAll { $0.id == member.id }
        members.append(member)
        connect(to: member, offers: false)
        ringing[member.name] = nil
        happened(.memberJoined, member.id, "\(member.name) joined")
        owner?.callRosterChanged(self)
    }

    private func left(_ id: MemberID, _ reason: LeaveReason) {
        let name = name(of: id)
        members.removeAll { $0.id == id }
        drop(id)
        happened(.memberLeft, id, "\(name) left")
        owner?.callRosterChanged(self)
    }

    private func received(_ message: PeerMessage, from id: MemberID) {
        switch message {
        case .status(let status): took(status, from: id)
        case .report(let report): reports[id] = report
        case .description, .candidate, .commitment, .reveal: peers[id]?.receive(message)
        }
    }

    private func took(_ status: MemberStatus, from id: MemberID) {
        let before = statuses.updateValue(status, forKey: id) ?? MemberStatus()
        let name = name(of: id)
        if status.muted != before.muted {
            happened(status.muted ? .memberMuted : .memberUnmuted, id, "\(name) \(status.muted ? "muted" : "unmuted")")
        }
        if status.held != before.held {
            happened(
                status.held ? .memberHeld : .memberResumed, id,
                "\(name) \(status.held ? "holds the call" : "is back from hold")")
        }
    }

    private func lostServer(_ attempt: Int, _ next: Duration, _ reason: String) {
        if reconnecting == nil, connectedAt != nil {
            happened(.callReconnecting, nil, "the room's server is lost (\(reason)); the call goes on")
        }
        reconnecting = (attempt, Date(timeIntervalSinceNow: next.seconds))
        execute(lifecycle.signalingLost())
    }

    private func foundServer(_ change: RosterChange) {
        let wasLost = reconnecting != nil
        reconnecting = nil
        useRoomServers()
        for id in change.removed {
            members.removeAll { $0.id == id }
            drop(id)
        }
        for member in change.added {
            members.append(member)
            connect(to: member, offers: true)
        }
        for id in change.same { peers[id]?.signalingRestored() }
        execute(lifecycle.signalingConnected())
        if wasLost { happened(.callReconnected, nil, "the room's server is back") }
        owner?.callRosterChanged(self)
    }
}
