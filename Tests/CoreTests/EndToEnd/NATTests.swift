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
        private let players: [PulsePlayer]

        init(_ mapping: NATTopology.Mapping, server: String?) throws {
            network = try NATTopology(left: mapping, right: mapping)
            turn = try TurnServer(
                prefix: network.middle.prefix, address: NATTopology.middleAddress, ports: (3478, 5349))
            pulse = try PrivatePulse()
            _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
            _ = try pulse.loadMicrophone("b_microphone", of: "b_mic")
            players = [
                try PulsePlayer(pulse, sink: "a_mic", samples: Self.tone(440)),
                try PulsePlayer(pulse, sink: "b_mic", samples: Self.tone(620)),
            ]
            let settings = ["network": ["turn-ca=\(turn.certificateFile)", "ice-servers=\(server ?? "")"]]
            host = try SoundingCore("m", pulse: nil, network: network.middle)
            a = try SoundingCore("a", pulse: pulse, settings: settings, network: network.left)
            b = try SoundingCore("b", pulse: pulse, settings: settings, network: network.right)
            let link = try host.host("room", address: NATTopology.middleAddress)
            try a.join(link)
            try b.join(link)
        }

        private static func tone(_ hz: Double) -> [Float] {
            ToneMeter.tone(frequencyHz: hz, amplitude: 0.25, seconds: 120)
        }

        func isSilent(at sink: String, within limit: Duration = .seconds(5)) throws -> Bool {
            let ear = try PulseRecorder(pulse, source: "\(sink).monitor")
            return ear.awaitBlock(within: limit) { $0.peak < 0.002 } != nil
        }

        func isHeard(at sink: String, _ hz: Double, within limit: Duration = .seconds(10)) throws -> Bool {
            let ear = try PulseRecorder(pulse, source: "\(sink).monitor")
            var window = ToneMeter([])
            return ear.awaitBlock(within: limit) { block in
                window = ToneMeter(Array((window.samples + block.samples).suffix(4800)))
                return window.samples.count == 4800 && window.amplitude(atHz: hz) > 0.1
            } != nil
        }
    }

    private static let credentials = "hoot:b%40d%3As%25cret"

    @Test func throughEndpointIndependentMappingPeersMeetDirectly() throws {
        let scene = try Scene(.endpointIndependent, server: "stun:\(NATTopology.middleAddress)")
        #expect(try scene.a.waitForPeople(2, within: .seconds(20)) && scene.b.waitForPeople(2, within: .seconds(20)))
        #expect(try scene.isHeard(at: "a_spk", 620) && scene.isHeard(at: "b_spk", 440))
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
        let scene = try Scene(.addressAndPortDependent, server: server)
        #expect(try scene.a.waitForPeople(2, within: .seconds(20)) && scene.b.waitForPeople(2, within: .seconds(20)))
        #expect(try scene.isHeard(at: "a_spk", 620) && scene.isHeard(at: "b_spk", 440))
        for (core, other) in [(scene.a, "b"), (scene.b, "a")] {
            let person = try #require(core.people.first { $0.name == other })
            #expect(person.isRelayed, "\(person.path ?? "no path")")
        }
    }

    /// The address vanishes under the call, and another appears.
    @Test func mediaAreBackSoonAfterAChangeOfNetwork() throws {
        let scene = try Scene(.endpointIndependent, server: "stun:\(NATTopology.middleAddress)")
        try #require(
            try scene.a.waitForPeople(2, within: .seconds(20)) && scene.b.waitForPeople(2, within: .seconds(20)))
        try #require(try scene.isHeard(at: "b_spk", 440))
        let ids = Set(scene.a.people.map(\.id))
        let begun = MonoTime.now()
        try scene.network.left.run(
            """
            ip addr del 10.45.1.2/24 dev lan
            ip addr add 10.45.1.77/24 dev lan
            ip route add default via 10.45.1.1
            """)
        #expect(try scene.a.wait { $0.events.contains { $0.kind == .network && $0.text.contains("+10.45.1.77") } })
        #expect(try scene.isSilent(at: "b_spk"), "the old way is gone")
        #expect(try scene.isHeard(at: "b_spk", 440) && scene.isHeard(at: "a_spk", 620))
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
        let scene = try Scene(.addressAndPortDependent, server: "stun:\(NATTopology.middleAddress)")
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
