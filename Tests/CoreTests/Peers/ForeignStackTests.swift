import ControlProtocol
import Devices
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

        /// - Parameters:
        ///   - codec: of the guest's pictures; `nil`: it has none.
        ///   - asks: parameters of Opus and attributes in the guest's descriptions.
        init(_ stack: Stack, codec: String? = nil, asks: [String] = []) throws {
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
                "\(stack.rawValue)_guest",
                [link, "guest", "\(Self.tones["guest"] ?? 0)", codec ?? "-"] + asks, network: network)
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

        /// Whether the guest comes to see what `name` shows, and sees it move.
        func guestSees(_ name: String) throws -> Bool {
            var former: Int?
            return try guest.next { report in
                guard report["sees"]?.stringValue == name, report["number"]?.integerValue == 0,
                    let milliseconds = report["milliseconds"]?.integerValue
                else { return false }
                defer { former = milliseconds }
                return former.map { (1...5000).contains((milliseconds - $0) & (Timecode.period - 1)) } ?? false
            } != nil
        }

        /// How many of 60 pictures that are seen here of the guest are as it has drawn them.
        func pictures(of guest: PythonGuest, seenBy core: SoundingCore) throws -> Int {
            let id = try #require(core.people.first { $0.name == "guest" }?.id)
            let number = "guest".utf8.reduce(0) { $0 + Int($1) } % 16
            let eye = try Eye(core, at: id, width: 320, height: 180)
            try #require(eye.next() != nil)
            return eye.next(60).count { $0.timecode?.number == number }
        }
    }

    /// Pictures by what each stack has for them.
    struct Pictures: CustomTestStringConvertible {
        var stack: Stack
        var codec: String

        static let all = [
            Pictures(stack: .aiortc, codec: "vp8"), Pictures(stack: .webrtcbin, codec: "vp8"),
            Pictures(stack: .webrtcbin, codec: "vp9"),
        ]

        var testDescription: String {
            "\(stack.rawValue) \(codec)"
        }
    }

    @Test(arguments: Pictures.all) func picturesGoBothWaysWhoeverOffers(_ pictures: Pictures) throws {
        let scene = try Scene(pictures.stack, codec: pictures.codec)
        try scene.core.showPattern()
        #expect(try scene.guestSees("core"))
        try scene.guest.say("show")
        try #require(try scene.core.wait { $0.people.first?.video == .camera })
        #expect(try scene.pictures(of: scene.guest, seenBy: scene.core) > 50)
        let other = try SoundingCore("other", pulse: scene.pulse, network: scene.network)
        try other.join(scene.link)
        try #require(try other.waitForPeople(2, within: .seconds(20)))
        try other.showPattern()
        #expect(try scene.guestSees("other"))
        #expect(try scene.pictures(of: scene.guest, seenBy: other) > 50)
        try scene.guest.say("hide")
        #expect(try scene.core.wait { $0.people.first { $0.name == "guest" }?.video == .off })
    }

    /// Q17: it sees that there is none, and does not take the connection for broken.
    @Test func whoDoesNotSayThatItKnowsBetterIsSentBlack() throws {
        let scene = try Scene(.aiortc, codec: "vp8")
        let isBlack = { (report: JSONValue) in
            report["sees"]?.stringValue == "core" && (report["pictures"]?.integerValue ?? 0) > 0
                && (report["luma"]?.doubleValue ?? 255) < 20
        }
        #expect(try scene.guest.next(where: isBlack) != nil, "before anything was shown")
        try scene.core.showPattern()
        #expect(try scene.guestSees("core"))
        try scene.core.call("video.mute", ["on": .bool(true)])
        #expect(try scene.guest.next(where: isBlack) != nil)
        #expect(try scene.guest.next(where: isBlack) != nil, "and again")
        #expect(try scene.core.wait { $0.state.video.shown == .off })
        try scene.core.call("video.mute", ["on": .bool(false)])
        #expect(try scene.guestSees("core"))
    }

    /// aiortc tells what it estimates by REMB alone, by the times of sending.
    @Test func whatIsEstimatedThereIsKeptTo() throws {
        let scene = try Scene(.aiortc, codec: "vp8")
        let other = try SoundingCore("other", pulse: scene.pulse, network: scene.network)
        try other.join(scene.link)
        try #require(try other.waitForPeople(2, within: .seconds(20)))
        try other.showPattern()
        #expect(try scene.guestSees("other"))
        let target = { (statistics: StatisticsUpdate?) in
            statistics?.people.values.compactMap { $0.videoSent?.targetKbps }.first ?? 0
        }
        #expect(try other.wait(within: .seconds(30)) { target($0.statistics) > 400 }, "\(target(other.statistics))")
        try scene.network.run("tc qdisc add dev lo root tbf rate 250kbit burst 4k latency 300ms")
        #expect(try other.wait(within: .seconds(30)) { target($0.statistics) < 250 }, "\(target(other.statistics))")
        #expect(try scene.guestSees("other"))
    }

    /// Who takes only what the others do not is sent no picture, and that is told.
    @Test func whoCannotTakeWhatTheOthersTakeIsNamed() throws {
        let scene = try Scene(.webrtcbin, codec: "vp9")
        let second = try PythonGuest("aiortc_guest", [scene.link, "second", "700", "vp8"], network: scene.network)
        try #require(try scene.core.waitForPeople(2, within: .seconds(30)))
        let other = try SoundingCore("other", pulse: scene.pulse, network: scene.network)
        try other.join(scene.link)
        try #require(try other.waitForPeople(3, within: .seconds(30)))
        try scene.core.showPattern()
        #expect(try second.next { $0["sees"]?.stringValue == "core" && $0["number"]?.integerValue == 0 } != nil)
        #expect(try scene.core.wait { $0.people.first { $0.name == "guest" }?.unsentReason?.contains("VP8") == true })
        #expect(scene.core.events.contains { $0.kind == .videoLimited && $0.text.hasPrefix("guest takes no VP8") })
        #expect(scene.core.people.first { $0.name == "second" }?.unsentReason == nil)
        try second.say("leave")
        #expect(try scene.core.wait { $0.people.first { $0.name == "guest" }?.unsentReason == nil })
        #expect(try scene.guestSees("core"))
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
        for _ in 0..<2 { _ = try scene.core.nextStatistics() }
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

    /// Whoever comes later is told as well.
    @Test func whoRecordsIsSeenByEveryone() throws {
        let scene = try Scene(.aiortc)
        let tells = { (core: SoundingCore, kind: EventUpdate.Kind, text: String) in
            try core.wait { core in core.events.contains { $0.kind == kind && $0.text == text } }
        }
        #expect(scene.core.people.first?.isRecording == nil)
        try scene.guest.say("record")
        #expect(try scene.core.wait { $0.people.first?.isRecording == true })
        #expect(try tells(scene.core, .memberRecordingOn, "guest records the call"))
        let other = try SoundingCore("other", pulse: scene.pulse, network: scene.network)
        try other.join(scene.link)
        #expect(try tells(other, .memberRecordingOn, "guest records the call"))
        #expect(try other.wait { $0.people.contains { $0.name == "guest" && $0.isRecording == true } })
        #expect(try scene.core.program.run("status").output.contains("guest, records the call"))
        try scene.guest.say("stop")
        for core in [scene.core, other] {
            #expect(try tells(core, .memberRecordingOff, "guest no longer records the call"))
            #expect(try core.wait { $0.people.allSatisfy { $0.isRecording == nil } })
        }
        #expect(try !scene.core.program.run("status").output.contains("records"))
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
