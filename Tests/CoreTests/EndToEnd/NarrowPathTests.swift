import ControlProtocol
import Primitives
import TestSupport
import Testing

/// A path is tried again half a minute later at the most, and a picture grows step by step.
private let patience = Duration.seconds(180)

/// Pictures over a path that becomes narrow (A78, A79): they give way, the sound does not, and everybody is told.
@Suite(.serialized) struct NarrowPathTests {
    /// Cores of one network, of which one can be reached by little only.
    private final class Scene {
        let network: NetworkNamespace
        let pulse: PrivatePulse
        let cores: [SoundingCore]
        /// The last one, whose way in is the narrow one.
        let listener: SoundingCore

        init(_ names: [String], video: [String] = []) throws {
            let network = try NetworkNamespace()
            let pulse = try PrivatePulse(sinks: names.flatMap { ["\($0)_mic", "\($0)_spk"] })
            for name in names { _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic") }
            (self.network, self.pulse) = (network, pulse)
            cores = try names.map { name in
                let ports = name == names.last ? ["media-ports=40000-40015"] : []
                return try SoundingCore(
                    name, pulse: pulse, settings: ["network": ports, "video": video], network: network)
            }
            listener = cores[cores.count - 1]
            let link = try cores[0].host("room")
            for core in cores.dropFirst() { try core.join(link, muted: true) }
            for core in cores { try #require(try core.waitForPeople(names.count - 1)) }
            try network.run(
                """
                tc qdisc add dev lo root handle 1: htb default 1
                tc class add dev lo parent 1: classid 1:1 htb rate 1gbit
                tc class add dev lo parent 1: classid 1:2 htb rate 1gbit
                tc filter add dev lo parent 1: prio 1 protocol ip u32 match ip dport 40000 0xfff0 flowid 1:2
                tc filter add dev lo parent 1: prio 2 protocol ipv6 u32 match ip6 dport 40000 0xfff0 flowid 1:2
                """)
        }

        /// Has a show its pattern. Gives an eye of every other, in their order.
        func showPattern(height: Int) throws -> [Eye] {
            try cores[0].showPattern()
            return try cores.dropFirst().map { viewer in
                try #require(try viewer.wait { $0.people.contains { $0.name == "a" && $0.video == .share } })
                let id = try #require(viewer.people.first { $0.name == "a" }?.id)
                return try Eye(viewer, at: id, width: 640, height: height)
            }
        }

        /// Says how much gets to the listener, in kilobits a second; 300 ms of it wait in line.
        func widen(to kilobits: Int) throws {
            try network.run(
                """
                tc class change dev lo parent 1: classid 1:2 htb rate \(kilobits)kbit burst 2k cburst 2k
                tc qdisc replace dev lo parent 1:2 bfifo limit \(kilobits * 125 * 3 / 10)
                """)
        }

        /// Whether it comes to be that these are left out of half of a second's frames and all others of none, while everybody
        /// sees pictures as they were sent.
        func comesToMissFrames(_ names: Set<String>, seenBy eyes: [Eye]) throws -> Bool {
            let end = MonoTime.now() + patience
            while MonoTime.now() < end {
                let before = try counts("framesSent", "framesLeftOut")
                let sights = eyes.map { $0.next(20) }
                let after = try counts("framesSent", "framesLeftOut")
                let isSo = cores.dropFirst().allSatisfy { core in
                    guard let before = before[core.name], let after = after[core.name] else { return false }
                    let (sent, leftOut) = (after[0] - before[0], after[1] - before[1])
                    return names.contains(core.name)
                        ? leftOut > 5 && abs(leftOut - sent) <= 2 : leftOut == 0 && sent > 5
                }
                let isReadable = sights.allSatisfy { $0.count == 20 && $0.count { $0.timecode != nil } >= 18 }
                if isSo, isReadable { return true }
            }
            return false
        }

        /// What the first one counts of the pictures that it sends to each of the others.
        private func counts(_ names: String...) throws -> [String: [Int]] {
            try Dictionary(
                uniqueKeysWithValues: cores.dropFirst().map { core in
                    let stream = try cores[0].streams("outbound-rtp", of: core.name)
                        .first { $0["kind"]?.stringValue == "video" }
                    return (core.name, names.map { stream?[$0]?.integerValue ?? 0 })
                })
        }

        /// Has one in six of what goes to the listener get lost, and counts what carries copies of earlier sound.
        func loseSome() throws {
            let toListener = "udp dport 40000-40015"
            // The payload type of redundant packets, in the second byte behind UDP's header.
            try network.run(
                """
                nft 'table inet path {
                    counter copies { }
                    chain out {
                        type filter hook output priority 0
                        \(toListener) @th,73,7 63 counter name copies
                        \(toListener) numgen random mod 6 0 drop
                    }
                }'
                """)
        }

        /// Whether copies come to be sent in each of three seconds, or in none of them.
        func comesToRepeat(_ isWanted: Bool) throws -> Bool {
            let end = MonoTime.now() + patience
            var streak = 0
            while streak < 3, MonoTime.now() < end {
                try network.run("nft reset counter inet path copies >/dev/null")
                _ = try listener.nextStatistics()
                let isSilent = (try? network.run("nft list counter inet path copies | grep -q 'packets 0 '")) != nil
                streak = isSilent == isWanted ? 0 : streak + 1
            }
            return streak == 3
        }
    }

    @Test func thePictureGivesWayToTheSoundAndComesBack() throws {
        let scene = try Scene(["a", "b"])
        let (a, b) = (scene.cores[0], scene.listener)
        try a.showPattern()
        try #require(try b.wait { $0.people.first?.video == .share })
        let eye = try Eye(b, at: b.people[0].id, width: 640, height: 480)
        try #require(eye.next() != nil)
        let player = try PulsePlayer(
            scene.pulse, sink: "a_mic", samples: ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 200))
        let ear = try Ear(scene.pulse, at: "b")
        try #require(ear.hears(440))
        for (kilobits, limit) in [(150, VideoLimit.smallPicture), (75, .soundOnly), (3000, nil)] {
            try scene.widen(to: kilobits)
            #expect(
                try a.wait(within: patience) { $0.state.video.limit == limit }, "\(kilobits) kb/s at the sender")
            #expect(try b.wait(within: patience) { $0.people.first?.picture?.limit == limit }, "\(kilobits) kb/s")
            #expect(ear.hears(440), "\(kilobits) kb/s")
            for core in [a, b] {
                let kind: EventUpdate.Kind = limit == nil ? .videoRestored : .videoLimited
                #expect(core.events.last { $0.kind == kind } != nil, "\(kilobits) kb/s")
            }
            #expect(b.events.contains { $0.kind == .videoLimited && $0.participant == b.people[0].id })
        }
        #expect(eye.next(30).count == 30)
        withExtendedLifetime(player) {}
    }

    /// Two encodings at the most: one for who can take it, one for who cannot.
    @Test func onlyWhoIsOnANarrowPathGetsTheSmallPicture() throws {
        let scene = try Scene(["a", "b", "c"])
        let viewers = scene.cores.dropFirst()
        let eyes = try scene.showPattern(height: 480)
        for eye in eyes { #expect(eye.waits { $0.source.height > 180 }) }
        try scene.widen(to: 150)
        let limit = { (core: SoundingCore) in core.people.first { $0.name == "a" }?.picture?.limit }
        #expect(try scene.listener.wait(within: patience) { limit($0) == .smallPicture })
        #expect(eyes[1].waits { $0.source.height <= 180 })
        #expect(eyes[0].waits { $0.source.height > 180 })
        _ = try viewers.first?.nextStatistics()
        #expect(viewers.first.flatMap(limit) == nil)
        try scene.widen(to: 3000)
        for eye in eyes { #expect(eye.waits(within: patience) { $0.source.height > 180 }) }
    }

    /// One encoding for three, of whom one has room for its base layer, but not for every frame.
    @Test(arguments: ["vp8", "vp9"]) func whoIsOnANarrowPathMissesFramesAndNobodyElseDoes(_ codec: String) throws {
        let scene = try Scene(["a", "b", "c", "d"], video: ["codec=\(codec)", "bitrate=300000", "height=240"])
        let eyes = try scene.showPattern(height: 240)
        for eye in eyes { #expect(eye.waits { $0.source.height == 240 }) }
        try scene.widen(to: 210)
        #expect(try scene.comesToMissFrames(["d"], seenBy: eyes), "narrow")
        try scene.widen(to: 3000)
        #expect(try scene.comesToMissFrames([], seenBy: eyes), "wide again")
    }

    /// Copies are for noise: where sound gets lost because the path is full, they would make it worse.
    @Test func soundIsNotRepeatedWhereThePathIsFull() throws {
        let scene = try Scene(["a", "b"])
        let player = try PulsePlayer(
            scene.pulse, sink: "a_mic", samples: ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 200))
        let ear = try Ear(scene.pulse, at: "b")
        try #require(ear.hears(440))
        try scene.loseSome()
        #expect(try scene.comesToRepeat(true), "noise")
        // Less than the sound with its copies takes, and about what it takes without.
        try scene.widen(to: 60)
        #expect(try scene.comesToRepeat(false), "a full path")
        #expect(ear.hears(440))
        try scene.widen(to: 1000)
        #expect(try scene.comesToRepeat(true), "noise again")
        withExtendedLifetime(player) {}
    }

    /// A77.
    @Test func thePrioritizedPersonsPictureStaysWhereThereIsNoRoomForAll() throws {
        let scene = try Scene(["a", "b", "c"])
        let c = scene.listener
        for core in scene.cores.prefix(2) { try core.showPattern() }
        try #require(try c.wait { $0.people.count { $0.video == .share } == 2 })
        try c.call("participant.prioritize", ["participant": .string("a")])
        try #require(try c.wait { $0.people.first { $0.name == "a" }?.isPrioritized == true })
        let wishes = c.people.map { JSONValue.string("\($0.id)=640x480") }
        try c.call("video.show", ["pictures": .array(wishes)])
        try #require(try c.wait { $0.people.allSatisfy { $0.picture != nil } })
        // Room for the sound and one whole picture, but for no other whole one beside it.
        try scene.widen(to: 270)
        #expect(try c.wait(within: patience) { Self.shows($0, "a", before: "b") }, "\(c.people.map(\.picture))")
        try c.call("participant.prioritize", ["participant": .string("b")])
        #expect(try c.wait { $0.people.filter { $0.isPrioritized == true }.map(\.name) == ["b"] }, "one only")
        #expect(try c.wait(within: patience) { Self.shows($0, "b", before: "a") }, "\(c.people.map(\.picture))")
        try c.call("participant.prioritize", ["participant": .string("b"), "on": .bool(false)])
        #expect(try c.wait { $0.people.allSatisfy { $0.isPrioritized == nil } })
    }

    /// Whether one person's picture is whole and the other's small, or none.
    private static func shows(_ core: SoundingCore, _ first: String, before second: String) -> Bool {
        let pictures = [first, second].map { name in core.people.first { $0.name == name }?.picture }
        guard let picture = pictures[0], picture.limit == nil, picture.layer == .high else { return false }
        return pictures[1].map { $0.limit != nil || $0.layer == .low } ?? true
    }
}
