import ControlProtocol
import Reactor
import Signaling

/// Who waits in the room, and ringing them.
extension RoomCall {
    /// Rings people by name. Whom it rings for already is not rung twice; where that is everybody, it is refused. Gives
    /// those who are rung by this.
    func ring(_ names: [String]) throws(RPCError) -> [String] {
        let rung = names.filter { client?.ringingNames.contains($0) == true }
        if !rung.isEmpty {
            let words = "\(rung.map(\.asShortName).joined(separator: ", ")): it rings there already"
            guard rung.count < names.count else { throw .failed("\(words); an answer is waited for") }
            happened(.ringing, nil, words)
        }
        client?.ring(names)
        return names.filter { !rung.contains($0) }
    }

    /// Takes who can be rung now; who is new among them is told.
    func waits(_ names: [String]) {
        let new = names.filter { !waiting.contains($0) }
        waiting = names
        guard !new.isEmpty else { return }
        let words = new.map(\.asShortName).joined(separator: ", ")
        happened(.memberWaits, nil, "\(words) \(new.count == 1 ? "waits" : "wait") in \(room), and can be rung")
    }

    /// Ringing: Q3, Q4 in their order.
    func took(_ progress: RingProgress) {
        switch progress {
        case .isRinging(let name):
            ringing[name] = .ringing
            happened(.ringing, nil, "ringing \(name.asShortName)")
        case .isAbsent(let name):
            ringing[name] = .unknown
            happened(.ringing, nil, "nobody called \(name.asShortName) waits in \(room); trying on")
        case .accepted(let name):
            ringing[name] = .accepted
            happened(.ringing, nil, "\(name.asShortName) answers")
        case .rejected(let name, let answer):
            ringing[name] = .rejected
            happened(
                .ringRejected, nil,
                answer == .busy ? "\(name.asShortName) is busy" : "\(name.asShortName) rejected the call")
        case .userDidNotRespond(let name):
            ringing[name] = .noAnswer
            happened(.userDidNotRespond, nil, "\(name.asShortName) did not answer")
        case .connectionClosed(let name, _):
            ringing[name] = nil
            happened(.connectionClosed, nil, "ringing \(name.asShortName) is over")
        }
    }
}
