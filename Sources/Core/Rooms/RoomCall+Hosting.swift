import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling

/// The lobby, members' time, and how long the room's server has not been heard.
extension RoomCall {
    func knocks(at room: String, seconds: Double) {
        execute(lifecycle.knocking())
        happened(.knocking, nil, "the hosts of \(room) have been asked; an answer comes within \(Int(seconds)) s")
    }

    func took(_ knock: Knock) {
        knocks.removeAll { $0.id == knock.id.rawValue }
        knocks.append(
            KnockState(
                id: knock.id.rawValue, name: knock.name.asName, role: .init(knock.role),
                until: Self.time(in: knock.seconds)))
        let asWhat = knock.role == .guest ? "" : " as \(knock.role.word)"
        happened(.knock, knock.id, "\(knock.name.asShortName) knocks\(asWhat): admit or decline")
    }

    func knockIsOver(_ id: MemberID, _ outcome: KnockOutcome) {
        guard let index = knocks.firstIndex(where: { $0.id == id.rawValue }) else { return }
        let name = knocks.remove(at: index).name.asShortName
        switch outcome {
        case .admitted: happened(.knockOver, id, "\(name) is let in")
        case .declined: happened(.knockOver, id, "\(name) is turned away")
        case .unanswered: happened(.knockOver, id, "nobody let \(name) in")
        case .gone: happened(.knockOver, id, "\(name) knocks no more")
        }
    }

    func expires(in seconds: Double) {
        expiresAt = Self.time(in: seconds)
        happened(.expiring, nil, "your time in \(room) is over in \(Int(seconds.rounded())) s; renew asks for more")
    }

    func renewed(for seconds: Double?) {
        expiresAt = seconds.map(Self.time(in:))
        let words = seconds.map { "for \(Duration.fractional(seconds: $0).inWords) more" } ?? "as long as you like"
        happened(.renewed, nil, "you may stay in \(room) \(words)")
    }

    func wantsTime(_ id: MemberID) {
        wantTime.insert(id)
        happened(
            .renewalWanted, id, "\(name(of: id))'s time is nearly over, and more is asked for: renew \(name(of: id))")
    }

    /// Nothing has been heard of the server for a while (FEATURES A5.9).
    func serverIsSilent(for silence: Duration, _ kind: CallState.Outage) {
        outage = kind
        if lastHeardAt == nil { lastHeardAt = Self.time(in: -silence.seconds) }
        execute(lifecycle.signalingLost())
        switch kind {
        case .interrupted: happened(.interrupted, nil, "the room's server is not heard; the call goes on")
        case .lost: happened(.lost, nil, "the room's server is lost; the call goes on")
        case .gaveUp: happened(.lost, nil, "the room's server is given up; the call goes on with who is connected")
        }
    }

    func serverIsBack() {
        (outage, lastHeardAt) = (nil, nil)
        execute(lifecycle.signalingConnected())
        happened(.rejoined, nil, "the room's server is back")
    }

    /// The room is over for us. Without its server the call lasts as long as somebody is connected.
    func roomEnded(_ end: RoomEnd) {
        if case .gaveUp = end, peers.values.contains(where: { $0.link == .connected }) {
            return serverIsSilent(for: .zero, .gaveUp)
        }
        execute(lifecycle.closed(end.description))
    }

    /// Ends a call that was left without a server and is now left without people.
    func endIfDeserted() {
        guard outage == .gaveUp, peers.isEmpty else { return }
        execute(lifecycle.closed("the room's server and everybody in the call are gone"))
    }

    private static func time(in seconds: Double) -> Int {
        Int((Date().timeIntervalSince1970 + seconds) * 1000)
    }
}

extension CallState.Role {
    init(_ role: RoomRole) {
        switch role {
        case .guest: self = .guest
        case .host: self = .host
        case .listener: self = .listener
        }
    }
}

extension Duration {
    /// In the largest unit that fits: `45 s`, `12 min`, `2 h`, `3 days`.
    fileprivate var inWords: String {
        switch Int(seconds.rounded()) {
        case ..<120: "\(Int(seconds.rounded())) s"
        case ..<7200: "\(Int((seconds / 60).rounded())) min"
        case ..<172_800: "\(Int((seconds / 3600).rounded())) h"
        default: "\(Int((seconds / 86_400).rounded())) days"
        }
    }
}
