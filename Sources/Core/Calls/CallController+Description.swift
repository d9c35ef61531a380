import ControlProtocol
import Foundation
import MediaEngine
import Reactor
import Signaling
import Transport

/// Calls as consoles see them.
extension CallController {
    func describe(_ call: RoomCall) -> CallState {
        var state = CallState(
            id: call.id, room: call.room, host: call.host, role: .init(call.role), phase: phase(of: call),
            myId: call.client?.id?.rawValue ?? "", myName: call.settings.name)
        state.isServedHere = call.isServedHere
        state.outage = call.outage
        state.lastHeardAt = call.lastHeardAt
        state.expiresAt = call.expiresAt
        state.knocks = call.knocks.isEmpty ? nil : call.knocks
        state.caller = call.caller
        if call.lifecycle.phase == .ringing { state.ringsUntil = call.ringsUntil.map(Self.milliseconds) }
        state.connectedAt = call.connectedAt.map(Self.milliseconds)
        state.isHeld = call.lifecycle.isHeld
        for member in call.members { state.people[member.id.rawValue] = describe(member, in: call) }
        state.order = call.members.map(\.id.rawValue)
        state.reconnectAttempt = call.reconnecting?.attempt
        state.nextReconnectAt = call.reconnecting.map { Self.milliseconds($0.nextAt) }
        state.aloneLeaveAt = call.aloneLeaveAt.map(Self.milliseconds)
        state.links = call.isServedHere && !call.links.isEmpty ? call.links.map(\.text) : nil
        state.ringing = call.ringing
        state.waiting = call.waiting.isEmpty ? nil : call.waiting
        return state
    }

    private func describe(_ member: RoomMember, in call: RoomCall) -> Participant {
        let id = member.id.rawValue
        let status = call.statuses[member.id] ?? member.status
        var person = Participant(id: id, name: member.name.asName)
        person.isHost = member.role == .host
        person.serves = member.serves == true ? true : nil
        person.isListener = member.role == .listener ? true : nil
        person.wantsTime = call.wantTime.contains(member.id) ? true : nil
        person.isMuted = status.muted
        person.isHolding = status.held
        person.isRecording = status.recording ? true : nil
        person.isHidden = video.wishes.isHidden(id) ? true : nil
        person.isPrioritized = video.wishes.prioritized == id ? true : nil
        person.isSilenced = audio.silence.isSilenced(id)
        person.volumePercent = audio.volumePercent(of: id)
        if let (code, fingerprint) = call.authenticated[member.id] {
            person.authenticationString = code.description
            person.isVerified = people.people.mark(of: member.name, fingerprint: fingerprint) == .verified
        }
        guard let peer = call.peers[member.id] else {
            person.link = .lost
            return person
        }
        (person.link, person.reason) = Self.link(peer.link)
        person.canChat = peer.canChat
        if peer.video != nil, status.video || call.haveShown.contains(member.id) {
            person.video = status.video ? (status.screen ? .share : .camera) : .off
        }
        let size = video.decoded(of: member.id)?.size
        if size != nil || peer.limit != nil {
            var picture = PictureState(width: size?.width ?? 0, height: size?.height ?? 0)
            picture.layer = peer.toldWish == .low || peer.limit != nil ? .low : .high
            picture.limit = peer.limit
            person.picture = picture
        }
        person.unsentReason = peer.unsentReason
        if let pair = peer.transport.statistics.selectedPair {
            person.path = pair.text
            person.isRelayed = pair.local.kind == .relayed || pair.remote.kind == .relayed
        }
        return person
    }

    private func phase(of call: RoomCall) -> CallState.Phase {
        switch call.lifecycle.phase {
        case .ringing: .ringing
        case .dialing: .dialing
        case .connecting: .connecting
        case .knocking: .knocking
        case .connected: .connected
        case .reconnecting: .reconnecting
        case .ended: .ended
        }
    }

    private static func link(_ link: PeerSession.Link) -> (Participant.Link, String?) {
        switch link {
        case .connecting: (.connecting, nil)
        case .connected: (.connected, nil)
        case .lost: (.lost, nil)
        case .restarting: (.restarting, nil)
        case .failed(let reason): (.failed, reason)
        }
    }

    static func milliseconds(_ date: Date) -> Int {
        Int(date.timeIntervalSince1970 * 1000)
    }

    /// How loud everybody in the active call is.
    func levels(_ report: AudioReport) -> LevelsUpdate {
        var levels = LevelsUpdate()
        if audio.microphone.capturesDevice { levels.microphone = Int(report.ownLevel.dBov.rounded()) }
        for (participant, stream) in audio.streams {
            guard let report = audio.path.report(on: stream) else { continue }
            levels.people[participant] = Int(report.level.dBov.rounded())
        }
        floor.update(report, in: self)
        levels.speaking = floor.speaking
        levels.lastSpeaker = floor.speaking == nil ? floor.lastSpeaker : nil
        levels.lastSpokeSeconds = floor.speaking == nil ? floor.lastSpokeSeconds : nil
        return levels
    }
}

extension ICECandidatePair {
    /// Candidate types and protocol; how we get to our own relay, where that is not by datagrams: `relay (tls) → host udp`.
    fileprivate var text: String {
        let way = relay.flatMap { $0.transport == .udp ? nil : " (\($0.transport.rawValue))" } ?? ""
        return "\(local.kind.rawValue)\(way) → \(remote.kind.rawValue) udp"
    }
}
