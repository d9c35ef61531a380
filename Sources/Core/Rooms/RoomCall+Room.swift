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
        case .waiting(let names): waits(names)
        case .reconnecting(let attempt, let next, _):
            reconnecting = (attempt, Date(timeIntervalSinceNow: next.seconds))
        case .reconnected(let change): foundServer(change)
        case .ringing(_, let progress): took(progress)
        case .complaint(let refusal, let about):
            happened(.warning, nil, "the room did not take our \(about): \(refusal.reason)")
        case .knocking(let seconds): knocks(at: room, seconds: seconds)
        case .knock(let knock): took(knock)
        case .knockOver(let id, let outcome): knockIsOver(id, outcome)
        case .expiring(let seconds): expires(in: seconds)
        case .renewed(let seconds): renewed(for: seconds)
        case .renewalWanted(let id): wantsTime(id)
        case .interrupted: serverIsSilent(for: .seconds(4), .interrupted)
        case .lost: serverIsSilent(for: .seconds(10), .lost)
        case .rejoined: serverIsBack()
        case .incomingRing, .incomingRingEnded: break
        case .closed(let end): roomEnded(end)
        }
        owner?.callChanged(self)
    }

    private func welcomed(_ welcome: Welcome) {
        connectedAt = connectedAt ?? Date()
        reconnecting = nil
        role = welcome.role
        expiresAt = welcome.expiresIn.map { Int((Date().timeIntervalSince1970 + $0) * 1000) }
        members = welcome.members
        useRoomServers()
        for member in welcome.members { connect(to: member, offers: true) }
        execute(lifecycle.signalingConnected())
        happened(.callConnected, nil, "in \(room), \(welcome.members.count + 1) in the call")
        for member in welcome.members { tellIfRecording(member) }
        waits(welcome.waiting)
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
        happened(.memberJoined, member.id, "\(member.shownName) joined")
        tellIfRecording(member)
        owner?.callRosterChanged(self)
    }

    private func left(_ id: MemberID, _ reason: LeaveReason) {
        let name = name(of: id)
        members.removeAll { $0.id == id }
        drop(id)
        switch reason {
        case .removed: happened(.memberLeft, id, "\(name) was removed")
        case .expired: happened(.memberLeft, id, "\(name)'s time is over")
        case .left, .lost, .replaced, .tooSlow, .misbehaved, .notReturned: happened(.memberLeft, id, "\(name) left")
        }
        owner?.callRosterChanged(self)
    }

    private func received(_ message: PeerMessage, from id: MemberID) {
        switch message {
        case .status(let status): took(status, from: id)
        case .report(let report): reports[id] = report
        case .description, .candidate, .view, .limit, .commitment, .reveal: peers[id]?.receive(message)
        }
    }

    private func took(_ status: MemberStatus, from id: MemberID) {
        let before = statuses.updateValue(status, forKey: id) ?? MemberStatus()
        let name = name(of: id)
        if status.video { haveShown.insert(id) }
        if status.video != before.video || status.held != before.held { pictures?.interrupted(id) }
        if let peer = peers[id] { pictures?.expectPictures(of: peer) }
        if status.muted != before.muted {
            happened(status.muted ? .memberMuted : .memberUnmuted, id, "\(name) \(status.muted ? "muted" : "unmuted")")
        }
        if status.video != before.video {
            happened(
                status.video ? .memberVideoOn : .memberVideoOff, id,
                "\(name) \(status.video ? "shows a picture" : "shows no picture any more")")
        }
        if status.held != before.held {
            happened(
                status.held ? .memberHeld : .memberResumed, id,
                "\(name) \(status.held ? "holds the call" : "is back from hold")")
        }
        if status.recording != before.recording {
            happened(
                status.recording ? .memberRecordingOn : .memberRecordingOff, id,
                "\(name) \(status.recording ? "records the call" : "no longer records the call")")
        }
    }

    /// Who is recorded is told so, whoever came first.
    private func tellIfRecording(_ member: RoomMember) {
        guard member.status.recording else { return }
        happened(.memberRecordingOn, member.id, "\(member.shownName) records the call")
    }

    private func foundServer(_ change: RosterChange) {
        reconnecting = nil
        useRoomServers()
        for id in change.removed {
            members.removeAll { $0.id == id }
            drop(id)
        }
        for member in change.added {
            members.append(member)
            connect(to: member, offers: true)
            tellIfRecording(member)
        }
        for id in change.same { peers[id]?.signalingRestored() }
        owner?.callRosterChanged(self)
    }
}
