internal import Primitives

/// Who is in the room besides us, as far as the server has told.
struct RoomRoster {
    /// In the order of joining.
    private(set) var members: [RoomMember] = []
    /// Members that a server started anew has not seen yet, and until when they may come back.
    private var awaited: [MemberID: MonoTime] = [:]

    var deadline: MonoTime? {
        awaited.values.min()
    }

    func member(_ id: MemberID) -> RoomMember? {
        members.first { $0.id == id }
    }

    /// The first list.
    mutating func begin(with list: [RoomMember]) {
        members = list
        awaited = [:]
    }

    /// A list after a broken connection. `isAuthoritative`: the server is the one that we knew, so who is absent is
    /// gone; else the absent are awaited until `limit`. `wereGone`: the others had been told that we left, so all of them
    /// are new peers.
    mutating func reconcile(
        with list: [RoomMember], isAuthoritative: Bool, wereGone: Bool, until limit: MonoTime
    ) -> RosterChange {
        var change = RosterChange()
        var kept: [RoomMember] = []
        for old in members {
            if let new = list.first(where: { $0.id == old.id }) {
                awaited[old.id] = nil
                let isSame = new.session == old.session && !wereGone
                if isSame { change.same.append(old.id) } else { change.removed.append(old.id) }
            } else if isAuthoritative {
                awaited[old.id] = nil
                change.removed.append(old.id)
            } else {
                awaited[old.id] = awaited[old.id] ?? limit
                change.awaited.append(old.id)
                kept.append(old)
            }
        }
        change.added = list.filter { !change.same.contains($0.id) }
        members = list + kept
        return change
    }

    /// Someone joined; returns what that means.
    mutating func join(_ member: RoomMember) -> [RoomEvent] {
        guard let index = members.firstIndex(where: { $0.id == member.id }) else {
            members.append(member)
            return [.memberJoined(member)]
        }
        let old = members[index]
        let wasAwaited = awaited.removeValue(forKey: member.id) != nil
        members[index] = member
        if old.session == member.session, wasAwaited {
            // The same peer is back at the new server: what was last said to it may have been lost. Its status follows.
            var change = RosterChange()
            change.same = [member.id]
            return [.reconnected(change)]
        }
        if old.session == member.session {
            return old.status == member.status ? [] : [.message(from: member.id, .status(member.status))]
        }
        return [.memberLeft(member.id, .replaced), .memberJoined(member)]
    }

    /// `false`: no such member.
    mutating func remove(_ id: MemberID) -> Bool {
        awaited[id] = nil
        guard let index = members.firstIndex(where: { $0.id == id }) else { return false }
        members.remove(at: index)
        return true
    }

    mutating func setStatus(_ status: MemberStatus, of id: MemberID) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        members[index].status = status
    }

    /// Those that did not come back in time.
    mutating func expire(at now: MonoTime) -> [MemberID] {
        let late = members.map(\.id).filter { awaited[$0].map { $0 <= now } ?? false }
        for id in late { _ = remove(id) }
        return late
    }
}
