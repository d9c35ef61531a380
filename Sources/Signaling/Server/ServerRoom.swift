internal import Primitives

/// One room as its server knows it.
struct ServerRoom {
    struct Member {
        var publicly: RoomMember
        let identity: String
        /// `nil`: it broke, and its seat is kept until `awayUntil`.
        var connection: ConnectionID?
        var awayUntil: MonoTime?
        /// What came for it meanwhile.
        var kept: [[UInt8]] = []
        var keptBytes = 0
    }

    struct Waiter {
        let hello: Hello
        let id: MemberID
        let role: RoomRole
        let connection: ConnectionID
    }

    let configuration: RoomConfiguration
    /// In the order of joining.
    var members: [Member] = []
    var waiters: [Waiter] = []

    /// The names that can be rung, each once.
    var waitingNames: [String] {
        var seen: Set<String> = []
        return waiters.map(\.hello.name).filter { seen.insert($0).inserted }
    }

    func index(of id: MemberID) -> Int? {
        members.firstIndex { $0.publicly.id == id }
    }

    func others(than id: MemberID) -> [Member] {
        members.filter { $0.publicly.id != id }
    }
}
