import ControlProtocol
import TestSupport
import Testing

/// Real cores behind NATs of each kind, two of a kind, all in one room: every kind meets every other and its like.
@Suite(.serialized) struct NATPairTests {
    private typealias NAT = NATTopology.NAT

    /// Somebody behind a NAT.
    private struct Guest {
        let nat: NAT
        let core: SoundingCore
    }

    private final class Scene {
        let guests: [Guest]
        private let network: NATTopology
        private let turn: TurnServer
        private let host: SoundingCore

        init(servers: String) throws {
            let nats = NAT.allCases + NAT.allCases
            network = try NATTopology(nats)
            turn = try TurnServer(
                prefix: network.middle.prefix, address: NATTopology.middleAddress, ports: (3478, 5349))
            host = try SoundingCore("host", pulse: nil, network: network.middle)
            let link = try host.host("room", address: NATTopology.middleAddress)
            // The seats are for those who are behind NATs.
            try host.call("call.leave", ["keepRoom": .bool(true)])
            let homes = network.homes
            guests = try nats.indices.map { index in
                let core = try SoundingCore(
                    "\(nats[index].rawValue) \(index)", pulse: nil, settings: ["network": ["ice-servers=\(servers)"]],
                    network: homes[index])
                try core.join(link, muted: true)
                return Guest(nat: nats[index], core: core)
            }
        }

        /// Expects of each of the pairs that it comes to this, seen from either end.
        func expectPairs(_ holds: (NAT, NAT, Participant) -> Bool) throws {
            for guest in guests {
                for other in guests where other.core.name != guest.core.name {
                    let comes = try guest.core.wait(within: .seconds(60)) { core in
                        core.people.first { $0.name == other.core.name }.map { holds(guest.nat, other.nat, $0) }
                            ?? false
                    }
                    let person = guest.core.people.first { $0.name == other.core.name }
                    #expect(
                        comes,
                        "\(guest.core.name) → \(other.core.name): \(person?.path ?? person?.reason ?? "no path")")
                }
            }
        }
    }

    /// A symmetric NAT takes another port for the peer than for the STUN server. That helps nobody who lets in only what
    /// comes from a place that was written to; who goes by the address alone, or by nothing, still answers.
    private static func needsRelay(_ one: NAT, _ other: NAT) -> Bool {
        let kinds: Set = [one, other]
        return kinds == [.symmetric] || kinds == [.symmetric, .portRestricted]
    }

    private static let stun = "stun:\(NATTopology.middleAddress)"
    private static let turn = "turn:hoot:b%40d%3As%25cret@\(NATTopology.middleAddress)"

    @Test func withATurnServerEveryPairMeetsAndOnlyThoseThatMustAreRelayed() throws {
        let scene = try Scene(servers: "\(Self.stun),\(Self.turn)")
        try scene.expectPairs { one, other, person in
            person.link == .connected && person.isRelayed == Self.needsRelay(one, other)
        }
    }

    @Test func byStunAloneThePairsThatCannotMeetAreTold() throws {
        let scene = try Scene(servers: Self.stun)
        try scene.expectPairs { one, other, person in
            guard Self.needsRelay(one, other) else { return person.link == .connected && !person.isRelayed }
            return person.link == .failed
                && person.reason?.contains("behind symmetric NATs or firewalls, and no TURN server is configured")
                    == true
        }
    }
}
