import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Guests with the media stacks of others, as somebody could write them by the protocol's documentation alone.
@Suite(.serialized) struct ForeignStackTests {
    enum Stack: String, CaseIterable, CustomTestStringConvertible {
        case aiortc
        case webrtcbin

        var testDescription: String {
            rawValue
        }
    }

    /// A core that hosts a room and a guest in it, on a network of their own, since neither stack uses loopback.
    private final class Scene {
        static let tones = ["core": 440.0, "other": 890.0, "guest": 620.0]

        let network: NetworkNamespace
        let pulse: PrivatePulse
        let core: SoundingCore
        let guest: PythonGuest
        let link: String
        private let players: [PulsePlayer]

        /// - Parameter asks: parameters of Opus and attributes in the guest's descriptions.
        init(_ stack: Stack, asks: [String] = []) throws {
            let network = try NetworkNamespace(hasInterface: true)
            self.network = network
            let pulse = try PrivatePulse(sinks: ["core_mic", "core_spk", "other_mic", "other_spk"])
            self.pulse = pulse
            players = try ["core", "other"].map { name in
                _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic")
                let tone = ToneMeter.tone(frequencyHz: Self.tones[name] ?? 0, amplitude: 0.25, seconds: 120)
                return try PulsePlayer(pulse, sink: "\(name)_mic", samples: tone)
            }
            core = try SoundingCore("core", pulse: pulse, network: network)
            link = try core.host("room")
            guest = try PythonGuest(
                "\(stack.rawValue)_guest", [link, "guest", "\(Self.tones["guest"] ?? 0)"] + asks, network: network)
            try #require(try core.waitForPeople(1, within: .seconds(20)))
        }

        /// Whether the guest comes to hear the tone of `name`, in its frequency and its level.
        func guestHears(_ name: String) throws -> Bool {
            let hz = Self.tones[name] ?? 0
            return try guest.next { report in
                guard report["hears"]?.stringValue == name, let heard = report["hz"]?.doubleValue,
                    let amplitude = report["amplitude"]?.doubleValue, amplitude > 0
                else { return false }
                return abs(heard - hz) < 6 && abs(decibels(amplitude: amplitude / 0.25)) < 4
            } != nil
        }

        func guestHearsNothing(of name: String) throws -> Bool {
            try guest.next { $0["hears"]?.stringValue == name && ($0["amplitude"]?.doubleValue ?? 1) < 0.002 } != nil
        }

        func ear(_ name: String) throws -> Ear {
            try Ear(pulse, at: name)
        }
    }

    /// Who comes later offers: the guest to the first core, the second core to the guest.
    @Test(arguments: Stack.allCases) func tonesGoBothWaysWhoeverOffers(_ stack: Stack) throws {
        let scene = try Scene(stack)
        #expect(try scene.guestHears("core"))
        let other = try SoundingCore("other", pulse: scene.pulse, network: scene.network)
        try other.join(scene.link)
        try #require(try other.waitForPeople(2, within: .seconds(20)))
        #expect(try scene.guestHears("other"))
        #expect(try scene.guestHears("core"))
        for name in ["core", "other"] {
            let ear = try scene.ear(name)
            try #require(ear.hears(620), "\(name)")
            let heard = ear.listen(seconds: 1)
            #expect(abs(decibels(amplitude: heard.medianAmplitude(atHz: 620) / 0.25)) < 4, "\(name)")
        }
        for (name, kind) in ["core": "offer", "other": "answer"] {
            let isSo = scene.guest.reports.contains {
                $0["describes"]?.stringValue == name && $0["kind"]?.stringValue == kind
            }
            #expect(isSo, "the guest's \(kind) for \(name)")
        }
    }

    /// Packets of 40 ms at 16 kb/s have 80 bytes each when none is longer than another.
    @Test func whatAGuestAsksForIsOnTheWire() throws {
        let asks = ["maxaveragebitrate=16000;cbr=1;maxplaybackrate=16000", "ptime:60", "maxptime:50"]
        let scene = try Scene(.webrtcbin, asks: asks)
        try #require(try scene.guestHears("core"))
        let sent = try #require(try scene.core.streams("outbound-rtp").first { $0["kind"] == "audio" })
        let packets = try #require(sent["packetsSent"]?.integerValue)
        #expect(packets > 10 && sent["bytesSent"]?.integerValue == 80 * packets)
    }

    @Test(arguments: Stack.allCases) func muteAndHoldAreHeardAndSeenOnBothSides(_ stack: Stack) throws {
        let scene = try Scene(stack)
        let ear = try scene.ear("core")
        try #require(ear.hears(620))
        try scene.guest.say("mute")
        #expect(ear.fallsSilent())
        #expect(try scene.core.wait { $0.people.first?.isMuted == true })
        try scene.guest.say("unmute")
        #expect(ear.hears(620))
        try scene.guest.say("hold")
        #expect(ear.fallsSilent())
        #expect(try scene.core.wait { $0.people.first?.isHolding == true })
        #expect(try scene.guestHearsNothing(of: "core"))
        try scene.guest.say("resume")
        #expect(ear.hears(620))
        #expect(try scene.guestHears("core"))
        try scene.core.call("call.hold", ["on": .bool(true)])
        #expect(try scene.guest.next { $0["status"]?.stringValue == "core" && $0["held"] == .bool(true) } != nil)
        #expect(try scene.guestHearsNothing(of: "core"))
        try scene.core.call("call.hold", ["on": .bool(false)])
        #expect(try scene.guestHears("core"))
        #expect(ear.hears(620))
        try scene.core.call("audio.mute", ["on": .bool(true)])
        #expect(try scene.guest.next { $0["status"]?.stringValue == "core" && $0["muted"] == .bool(true) } != nil)
        #expect(try scene.core.waitForPeople(1))
    }

    @Test(arguments: Stack.allCases) func chatGoesBothWaysAndWhoLeavesIsGone(_ stack: Stack) throws {
        let scene = try Scene(stack)
        try #require(try scene.core.wait { $0.people.first?.canChat == true })
        try scene.guest.say("say hé")
        #expect(try scene.core.wait { $0.said.contains("guest: hé") })
        try scene.core.call("chat.send", ["text": .string("ho")])
        #expect(try scene.guest.next { $0["said"]?.stringValue == "ho" } != nil)
        try scene.guest.say("leave")
        #expect(try scene.core.wait { $0.people.isEmpty })
    }
}
