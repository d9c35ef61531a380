import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Real cores in two homes behind NATs, in a room that is served between them.
@Suite(.serialized) struct NATTests {
    /// A room in the middle with somebody in each home, a tone in each of their microphones.
    private final class Scene {
        let network: NATTopology
        let turn: TurnServer
        let pulse: PrivatePulse
        let host: SoundingCore
        let a: SoundingCore
        let b: SoundingCore
        let earA: Ear
        let earB: Ear
        private let players: [PulsePlayer]

        init(_ nat: NATTopology.NAT, server: String) throws {
            network = try NATTopology([nat, nat])
            turn = try TurnServer(
                prefix: network.middle.prefix, address: NATTopology.middleAddress, ports: (3478, 5349))
            pulse = try PrivatePulse()
            _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
            _ = try pulse.loadMicrophone("b_microphone", of: "b_mic")
            players = [
                try PulsePlayer(pulse, sink: "a_mic", samples: Self.tone(440)),
                try PulsePlayer(pulse, sink: "b_mic", samples: Self.tone(620)),
            ]
            let settings = ["network": ["turn-ca=\(turn.certificateFile)", "ice-servers=\(server)"]]
            host = try SoundingCore("m", pulse: nil, network: network.middle)
            a = try SoundingCore("a", pulse: pulse, settings: settings, network: network.homes[0])
            b = try SoundingCore("b", pulse: pulse, settings: settings, network: network.homes[1])
            let link = try host.host("room", address: NATTopology.middleAddress)
            try a.join(link)
            try b.join(link)
            earA = try Ear(pulse, at: "a")
            earB = try Ear(pulse, at: "b")
        }

        private static func tone(_ hz: Double) -> [Float] {
            ToneMeter.tone(frequencyHz: hz, amplitude: 0.25, seconds: 120)
        }

        /// Whether each hears the other's tone.
        func hearEachOther() -> Bool {
            earA.hears(620, within: .seconds(10)) && earB.hears(440, within: .seconds(10))
        }
    }

    private static let credentials = "hoot:b%40d%3As%25cret"

    @Test func throughNATsThatKeepTheirPortsPeersMeetDirectly() throws {
        let scene = try Scene(.portRestricted, server: "stun:\(NATTopology.middleAddress)")
        #expect(try scene.a.waitForPeople(2, within: .seconds(20)) && scene.b.waitForPeople(2, within: .seconds(20)))
        #expect(scene.hearEachOther())
        for (core, other) in [(scene.a, "b"), (scene.b, "a")] {
            let person = try #require(core.people.first { $0.name == other })
            #expect(person.isRelayed == false)
            #expect(person.path?.contains("rflx") == true, "\(person.path ?? "no path")")
        }
    }

    @Test(arguments: [
        "turn:\(credentials)@\(NATTopology.middleAddress)",
        "turn:\(credentials)@\(NATTopology.middleAddress)?transport=tcp",
        "turns:\(credentials)@\(NATTopology.middleAddress)",
    ])
    func throughSymmetricNATsMediaAreRelayed(_ server: String) throws {
        let scene = try Scene(.symmetric, server: server)
        #expect(try scene.a.waitForPeople(2, within: .seconds(20)) && scene.b.waitForPeople(2, within: .seconds(20)))
        #expect(scene.hearEachOther())
        for (core, other) in [(scene.a, "b"), (scene.b, "a")] {
            let person = try #require(core.people.first { $0.name == other })
            #expect(person.isRelayed, "\(person.path ?? "no path")")
        }
    }

    /// The address vanishes under the call, and another appears.
    @Test func mediaAreBackSoonAfterAChangeOfNetwork() throws {
        let scene = try Scene(.portRestricted, server: "stun:\(NATTopology.middleAddress)")
        try #require(
            try scene.a.waitForPeople(2, within: .seconds(20)) && scene.b.waitForPeople(2, within: .seconds(20)))
        try #require(scene.hearEachOther())
        let ids = Set(scene.a.people.map(\.id))
        let begun = MonoTime.now()
        try scene.network.homes[0].run(
            """
            ip addr del 10.45.1.2/24 dev lan
            ip addr add 10.45.1.77/24 dev lan
            ip route add default via 10.45.1.1
            """)
        #expect(try scene.a.wait { $0.events.contains { $0.kind == .network && $0.text.contains("+10.45.1.77") } })
        #expect(scene.earB.fallsSilent(), "the old way is gone")
        #expect(scene.hearEachOther())
        let gap = MonoTime.now() - begun
        #expect(gap < .seconds(8))
        print("heard both ways \(gap.milliseconds) ms after the address changed")
        #expect(try scene.a.waitForPeople(2) && scene.b.waitForPeople(2))
        #expect(Set(scene.a.people.map(\.id)) == ids)
        for core in [scene.a, scene.b] {
            #expect(!core.events.contains { [.memberLeft, .connectionClosed, .callEnded].contains($0.kind) })
        }
    }

    @Test func withoutARelaySymmetricNATsAreNamedAndSoIsTheRemedy() throws {
        let scene = try Scene(.symmetric, server: "stun:\(NATTopology.middleAddress)")
        let begun = MonoTime.now()
        let isNamed = try scene.a.wait(within: .seconds(45)) { core in
            core.events.contains { $0.kind == .warning && $0.text.contains("symmetric NAT") }
        }
        #expect(isNamed, "\(scene.a.events.map(\.text))")
        print("named \((MonoTime.now() - begun).milliseconds) ms after the join")
        let isShown = try scene.a.wait { core in
            let person = core.people.first { $0.name == "b" }
            return person?.link == .failed && person?.reason?.contains("network.ice-servers") == true
        }
        #expect(isShown)
        #expect(scene.a.people.first { $0.name == "m" }?.link == .connected, "the others are not touched")
    }
}
