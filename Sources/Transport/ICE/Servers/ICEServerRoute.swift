/// A server as libnice gets it: at an address in numbers.
struct ICEServerRoute: Hashable, Sendable {
    var server: ICEServer
    var address: String
    /// `nil`: it has not answered yet.
    var roundTrip: Duration?

    /// Which servers to use: the STUN server that answered soonest, and the TURN server likewise (Q91), with the best one
    /// at another address after it, for the case that the first has no relay to give. Each relay is an allocation for
    /// each peer, so there are no more.
    static func chosen(from routes: [ICEServerRoute]) -> [ICEServerRoute] {
        let ranked = routes.enumerated().sorted { left, right in
            (left.element.cost, left.offset) < (right.element.cost, right.offset)
        }.map(\.element)
        let relays = ranked.filter { $0.server.kind == .turn }
        let second = relays.first.flatMap { best in relays.first { $0.address != best.address } }
        return [ranked.first { $0.server.kind == .stun }, relays.first, second].compactMap { $0 }
    }

    /// Round trips that differ by less than what a stream costs when a packet is lost do not count against datagrams.
    private var cost: Duration {
        let handicap: Duration =
            switch server.transport {
            case .udp: .zero
            case .tcp: .milliseconds(10)
            case .tls: .milliseconds(15)
            }
        return (roundTrip ?? .seconds(60)) + handicap
    }
}
