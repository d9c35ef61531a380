import ControlProtocol
import Reactor
import Signaling
import Transport

/// Whom a word means.
extension RoomCall {
    /// The member with that id, or the only one of that name.
    func member(named who: String) throws(RPCError) -> RoomMember {
        if let member = members.first(where: { $0.id.rawValue == who }) { return member }
        let called = members.filter { $0.name == who || $0.name.asName == who }
        guard let member = called.first else {
            throw .failed("nobody called \(who.quoted) is in \(room); hoot status lists them")
        }
        guard called.count == 1 else {
            throw Self.ambiguous(
                who, called.map { member in (member.id.rawValue, description(of: member)) }, "in \(room)")
        }
        return member
    }

    /// Who knocks with that id, or alone by that name.
    func knock(named who: String) throws(RPCError) -> KnockState {
        if let knock = knocks.first(where: { $0.id == who }) { return knock }
        let called = knocks.filter { $0.name == who.asName || $0.name == who }
        guard let knock = called.first else { throw .failed("nobody called \(who.quoted) knocks at \(room)") }
        guard called.count == 1 else {
            throw Self.ambiguous(who, called.map { ($0.id, "as \($0.role.rawValue)") }, "knocking at \(room)")
        }
        return knock
    }

    /// What tells a member from others of the same name: the place in the order of coming, and the way there.
    private func description(of member: RoomMember) -> String {
        let place = (members.firstIndex { $0.id == member.id } ?? 0) + 1
        let path = peers[member.id]?.transport.statistics.selectedPair.map { ", at \($0.remote.address)" } ?? ""
        return "row \(place) of hoot status\(path)"
    }

    private static func ambiguous(_ who: String, _ people: [(id: String, words: String)], _ place: String) -> RPCError {
        let list = people.map { "\($0.id) (\($0.words))" }.joined(separator: ", ")
        return .failed("\(people.count) people called \(who.quoted) are \(place); give the id instead: \(list)")
    }
}
