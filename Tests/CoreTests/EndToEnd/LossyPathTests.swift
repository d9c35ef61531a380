import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Calls over a path that loses what ICE needs.
@Suite struct LossyPathTests {
    /// Answers to checks are lost for longer than libnice's own consent lasts (10 s), sound is not.
    @Test func aCallOutlivesLostAnswersToChecks() throws {
        let network = try NetworkNamespace()
        let pulse = try PrivatePulse()
        _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
        let a = try SoundingCore("a", pulse: pulse, network: network)
        let b = try SoundingCore("b", pulse: pulse, network: network)
        try b.join(try a.host("room"))
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        // The first word of a STUN success response to a Binding request (RFC 8489, section 5), behind UDP's header.
        try network.run(
            "nft 'table inet path { chain out { type filter hook output priority 0; @th,64,16 0x0101 counter drop; }; }'"
        )
        let isLost = try a.wait(within: .seconds(15)) { core in
            core.events.contains { $0.kind == .memberLost || $0.kind == .connectionClosed }
        }
        #expect(!isLost, "\(a.events.map(\.text))")
        #expect(a.people.first?.link == .connected && b.people.first?.link == .connected)
        try network.run("nft list table inet path | grep -q 'packets [1-9]'")
        let ear = try Ear(pulse, at: "b")
        let player = try PulsePlayer(
            pulse, sink: "a_mic", samples: ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 30))
        #expect(ear.hears(440))
        withExtendedLifetime(player) {}
    }

    /// Sound that gets lost is repeated in later packets (RFC 2198), and only then.
    @Test func soundThatGetsLostIsRepeated() throws {
        let network = try NetworkNamespace()
        let pair = try TonePair(network: network)
        // The payload type of redundant packets, in the second byte behind UDP's header.
        try network.run(
            "nft 'table inet path { chain out { type filter hook output priority 0; udp dport > 0 @th,73,7 63 counter; }; }'"
        )
        try #require(pair.hearEachOther())
        let count = "nft list table inet path | grep -o 'packets [0-9]*' | tail -1 | cut -d' ' -f2"
        try network.run("test $(\(count)) -eq 0")
        try network.run("nft 'add rule inet path out meta l4proto udp numgen random mod 5 0 drop'")
        let isRepaired = try pair.b.wait(within: .seconds(60)) { core in
            core.statistics?.people.values.contains { ($0.received?.repairedPercent ?? 0) > 75 } ?? false
        }
        #expect(isRepaired, "\(String(describing: pair.b.statistics?.people))")
        try network.run("test $(\(count)) -gt 100")
        #expect(pair.hearEachOther())
    }
}
