import ControlClient
import ControlProtocol
import Devices
import Foundation
import Primitives
import TestSupport
import Testing

/// Pictures from one real core to another, read back from what its console is shown.
@Suite(.serialized) struct SeenCallTests {
    fileprivate final class Scene {
        let network: NetworkNamespace
        let a: SoundingCore
        let b: SoundingCore
        let link: String

        init(
            lossPercent: Int = 0, codecs: (a: String, b: String) = ("vp8", "vp8"), onDetach: String = "keep"
        ) throws {
            network = try NetworkNamespace()
            a = try SoundingCore(
                "a", pulse: nil, settings: ["video": ["codec=\(codecs.a)"], "call": ["on-detach=\(onDetach)"]],
                network: network)
            b = try SoundingCore("b", pulse: nil, settings: ["video": ["codec=\(codecs.b)"]], network: network)
            link = try a.host("room")
            try b.join(link)
            try #require(try a.waitForPeople(1) && b.waitForPeople(1))
            guard lossPercent > 0 else { return }
            try network.run(
                """
                nft 'table inet path { chain out { type filter hook output priority 0; \\
                    meta l4proto udp numgen random mod 100 < \(lossPercent) drop; }; }'
                """)
        }

        /// Has `a` show something.
        func show(_ source: String = "pattern") throws {
            try a.call("video.select", ["source": .string(source)])
            try a.call("video.mute", ["on": .bool(false)])
        }

        func eye(width: Int = 320, height: Int = 180) throws -> Eye {
            try Eye(b, at: b.people[0].id, width: width, height: height)
        }
    }

    @Test(arguments: [0, 2, 10]) func theTimecodeArrives(_ lossPercent: Int) throws {
        let scene = try Scene(lossPercent: lossPercent)
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        let eye = try scene.eye()
        try #require(eye.next() != nil)
        _ = eye.watch(.seconds(1))
        let sights = eye.watch(.seconds(4))
        let codes = sights.compactMap(\.timecode)
        #expect(codes.count * 10 >= sights.count * 9, "\(codes.count) of \(sights.count) pictures carry a code")
        #expect(codes.count >= (lossPercent < 10 ? 40 : 25), "\(codes.count) in 4 s")
        #expect(
            zip(codes, codes.dropFirst()).allSatisfy {
                (1..<1000).contains(($1.milliseconds - $0.milliseconds) & (Timecode.period - 1))
            })
        let ages = sights.compactMap { sight in sight.timecode.map { $0.age(at: sight.time).milliseconds } }.sorted()
        let median = ages.isEmpty ? 9999 : ages[ages.count / 2]
        print("\(lossPercent) % loss: \(codes.count) pictures in 4 s, \(Int(median)) ms old at the median")
        #expect(median < 250)
        let isMissed = lossPercent == 0 || eye.waits { _ in ((try? scene.sent("nackCount")) ?? 0) > 0 }
        #expect(isMissed, "nothing was lost")
    }

    /// Each time encoders are made anew, on whatever thread.
    @Test func picturesThatEndedLeaveNoMemory() throws {
        let scene = try Scene()
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        let eye = try scene.eye()
        var sizes: [Int] = []
        for _ in 0..<16 {
            let start = MonoTime.now()
            try #require(
                eye.waits { sight in sight.timecode.map { $0.age(at: sight.time) < sight.time - start } ?? false })
            sizes.append(try scene.a.residentBytes())
            for (isOn, shown) in [(false, VideoShown.off), (true, .share)] {
                try scene.a.call("video.mute", ["on": .bool(!isOn)])
                try #require(try scene.b.wait { $0.people.first?.video == shown })
            }
        }
        #expect(sizes[15] - sizes[2] < 12_000_000, "\(sizes)")
    }

    /// Whoever offers, and whatever each of both prefers.
    @Test(arguments: [("vp9", "vp9"), ("vp9", "vp8"), ("vp8", "vp9")])
    func theEncodingIsTheOneThatIsSet(_ a: String, _ b: String) throws {
        let scene = try Scene(codecs: (a, b))
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        try scene.b.call("video.select", ["source": .string("pattern")])
        try scene.b.call("video.mute", ["on": .bool(false)])
        #expect(try scene.a.wait { $0.people.first?.video == .share })
        let eyes = try [scene.eye(), Eye(scene.a, at: scene.a.people[0].id, width: 320, height: 180)]
        for eye in eyes { #expect(eye.waits { $0.timecode != nil }) }
        #expect(try scene.b.pictureCodecs() == ["in": a, "out": b])
        let other = a == "vp8" ? "vp9" : "vp8"
        try scene.a.call("settings.set", ["name": .string("video.codec"), "value": .string(other)])
        let codecs = ["in": other, "out": b]
        #expect(eyes[0].waits { _ in (try? scene.b.pictureCodecs()) == codecs }, "changed while it runs")
        #expect(eyes[0].next(20).contains { $0.timecode != nil })
    }

    /// Also of a screen on which nothing happens any more.
    @Test(arguments: ["pattern", "terminal:printf hello; read x"]) func whoComesLaterSeesAtOnce(_ source: String) throws
    {
        let scene = try Scene()
        try scene.show(source)
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        let first = try scene.eye(width: 640, height: 312)
        #expect(first.next() != nil)
        let c = try SoundingCore("c", pulse: nil, network: scene.network)
        try c.join(scene.link)
        try #require(try c.waitForPeople(2))
        #expect(try c.wait { $0.people.contains { $0.name == "a" && $0.video == .share } })
        let id = try #require(c.people.first { $0.name == "a" }?.id)
        #expect(try Eye(c, at: id, width: 640, height: 312).next() != nil)
    }

    @Test func aSourceThatCannotBeStartedChangesNothing() throws {
        let scene = try Scene()
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        let eye = try scene.eye()
        #expect(eye.next() != nil)
        for source in ["camera:/nonexistent", "file:/dev/zero"] {
            let refusal = #expect(throws: ClientError.self) {
                try scene.a.call("video.select", ["source": .string(source)])
            }
            #expect(refusal?.description.contains(source.dropFirst(7)) == true, "\(String(describing: refusal))")
            #expect(
                try scene.a.wait {
                    $0.events.contains { $0.text.contains(source.dropFirst(7)) && $0.text.hasSuffix("goes on") }
                })
            #expect(try scene.a.wait { $0.state.video.source?.name == "pattern" && $0.state.video.shown == .share })
            #expect(eye.watch(.milliseconds(500)).contains { $0.timecode != nil })
            #expect(try scene.a.call("settings.get", ["name": .string("video.source")]) == .string("pattern"))
        }
    }

    @Test func aSourceThatFailedCanBeChosenAgain() throws {
        let scene = try Scene()
        let directory = try TemporaryDirectory()
        let source = JSONValue.string("file:\(directory.path)/clip.y4m")
        try scene.a.call("video.select", ["source": source])
        try scene.a.call("video.mute", ["on": .bool(false)])
        #expect(try scene.a.wait { $0.state.video.source?.reason != nil && $0.state.video.shown == .off })
        #expect(throws: ClientError.self) { try scene.a.call("video.select", ["source": source]) }
        #expect(try scene.a.wait { $0.state.video.source == nil }, "nothing was there before")
        let frame = Data("FRAME\n".utf8) + Data(repeating: 128, count: 64 * 48 * 3 / 2)
        let clip = (0..<10).reduce(into: Data("YUV4MPEG2 W64 H48 F10:1\n".utf8)) { clip, _ in clip += frame }
        try clip.write(to: URL(filePath: "\(directory.path)/clip.y4m"))
        try scene.a.call("video.select", ["source": source])
        #expect(try scene.a.wait { $0.state.video.shown == .share && $0.state.video.source?.width == 64 })
        // Q24: what is given, and what was asked for.
        let words = "clip.y4m: 64x48@10, asked for 640x480@30"
        #expect(try scene.a.wait { $0.events.contains { $0.kind == .camera && $0.text == words } })
        #expect(try scene.eye().next() != nil)
    }

    /// A32: muted, or seen by nobody, a source goes on.
    @Test func whatRunsInASharedTerminalOutlivesMuting() throws {
        let scene = try Scene()
        let directory = try TemporaryDirectory()
        let log = "\(directory.path)/starts"
        try scene.show("terminal:echo started >> \(log); exec cat")
        let eye = try scene.eye(width: 640, height: 312)
        #expect(eye.next() != nil)
        for _ in 0..<2 {
            try scene.a.call("video.mute", ["on": .bool(true)])
            #expect(try scene.b.wait { $0.people.first?.video == .off })
            try scene.a.call("video.mute", ["on": .bool(false)])
            #expect(try scene.b.wait { $0.people.first?.video == .share })
            #expect(eye.next() != nil, "the last picture again")
        }
        try scene.b.call("video.show", ["pictures": .array([])])
        _ = try scene.a.nextStatistics()
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "started\n")
    }

    /// Q62: a picture that nobody is there for stops, and goes on once somebody is.
    @Test func theLastConsoleTakesThePictureWithItWhereThatIsWished() throws {
        let scene = try Scene(onDetach: "mute")
        try scene.show()
        let eye = try scene.eye()
        #expect(eye.next() != nil)
        try scene.a.call("core.subscribe", ["console": .bool(false)])
        #expect(try scene.b.wait { $0.people.first?.video == .off })
        try scene.a.call("core.subscribe", ["console": .bool(true)])
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        _ = eye.watch(.milliseconds(500))
        #expect(eye.next() != nil)
    }

    /// What stops on purpose has not frozen.
    @Test func aPictureThatIsOffIsNoFreeze() throws {
        let scene = try Scene()
        try scene.show()
        let eye = try scene.eye()
        try #require(eye.next(30).count == 30)
        try scene.a.call("video.mute", ["on": .bool(true)])
        #expect(try scene.b.wait { $0.people.first?.video == .off })
        for _ in 0..<4 { _ = try scene.b.nextStatistics() }
        try scene.a.call("video.mute", ["on": .bool(false)])
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        try #require(eye.next(30).count == 30)
        _ = try scene.b.nextStatistics()
        let figures = try #require(scene.b.statistics?.people[scene.b.people[0].id])
        let frozen = try #require(figures.video?.freezeSeconds)
        #expect(frozen < 3, "of about 4 s")
    }

    /// A33.1, A34, A173.
    @Test func whoJoinsLaterIsHiddenWhereThatIsWished() throws {
        let scene = try Scene()
        let b = scene.b
        try b.call("participants.hide", ["joiners": .bool(true)])
        try scene.show()
        let c = try SoundingCore("c", pulse: nil, network: scene.network)
        try c.join(scene.link)
        try #require(try c.waitForPeople(2))
        try c.showPattern()
        #expect(try b.wait { $0.people.count { $0.video == .share } == 2 })
        #expect(b.people.filter { $0.isHidden == true }.map(\.name) == ["c"])
        let id = try #require(b.people.first { $0.name == "c" }?.id)
        let eye = try Eye(b, at: id, width: 320, height: 180)
        #expect(eye.next(within: .seconds(2)) == nil)
        let showing: [String: JSONValue] = ["participant": .string("c"), "on": .bool(false)]
        try b.call("participant.hide", showing)
        #expect(eye.next() != nil)
        try b.call("participants.hide", ["on": .bool(true)])
        _ = eye.watch(.milliseconds(500))
        #expect(eye.next(within: .seconds(1)) == nil)
        #expect(throws: ClientError.self) { try b.call("participant.hide", showing) }
        try b.call("participants.hide", ["on": .bool(false)])
        #expect(eye.next() != nil)
    }

    @Test func whatIsTypedReachesTheSharedTerminal() throws {
        let scene = try Scene()
        let text: [String: JSONValue] = ["text": .string(String(repeating: "W", count: 60) + "\r")]
        #expect(throws: ClientError.self) { try scene.a.call("video.type", text) }
        try scene.show("terminal:exec cat")
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        let eye = try scene.eye(width: 640, height: 312)
        let before = try #require(eye.next()).color.green
        for _ in 0..<8 { try scene.a.call("video.type", text) }
        #expect(eye.waits { $0.color.green > before + 10 })
    }

    @Test func whatIsNotShownIsNotSent() throws {
        let scene = try Scene()
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        #expect(try scene.sent("framesSent") == 0, "nobody looks")
        let eye = try scene.eye()
        #expect(eye.next() != nil)
        try scene.a.call("video.mute", ["on": .bool(true)])
        #expect(try scene.b.wait { $0.people.first?.video == .off })
        _ = eye.watch(.milliseconds(300))
        #expect(eye.next(within: .seconds(1)) == nil, "video is off")
        try scene.a.call("video.mute", ["on": .bool(false)])
        #expect(eye.next() != nil)
        try scene.b.call("participant.hide", ["participant": .string("a"), "on": .bool(true)])
        _ = eye.watch(.milliseconds(500))
        #expect(eye.next(within: .seconds(1)) == nil, "hidden here")
    }

    @Test func theScreenDecidesWhichLayerIsSent() throws {
        let scene = try Scene()
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        let small = try scene.eye(width: 160, height: 90)
        #expect(try #require(small.next()).source.height <= 180)
        let large = try scene.eye(width: 640, height: 480)
        var height = 0
        for _ in 0..<300 where height < 360 {
            guard let sight = large.next() else { break }
            height = sight.source.height
        }
        #expect(height >= 360, "\(height)")
    }
}

/// What one person chooses of another's pictures, and of one's own.
extension SeenCallTests {
    /// A81: whatever the screen needs.
    @Test func theChosenLayerIsSent() throws {
        let scene = try Scene()
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        func choose(_ layer: String) throws {
            try scene.b.call("participant.layer", ["participant": .string("a"), "layer": .string(layer)])
        }
        let small = try scene.eye(width: 160, height: 90)
        #expect(try #require(small.next()).source.height <= 180)
        try choose("high")
        #expect(small.waits { $0.source.height >= 360 }, "more than the screen needs")
        let large = try scene.eye(width: 640, height: 480)
        #expect(large.waits { $0.source.height >= 360 })
        try choose("low")
        #expect(large.waits { $0.source.height <= 180 }, "less than the screen needs")
        try choose("auto")
        #expect(large.waits { $0.source.height >= 360 })
        #expect(throws: ClientError.self) { try choose("middle") }
    }

    @Test func whatIsOpenedToBeSeenHereIsNotShownToTheOthers() throws {
        let scene = try Scene()
        try scene.show()
        #expect(try scene.b.wait { $0.people.first?.video == .share })
        try scene.a.call("video.close", ["on": .bool(true)])
        #expect(try scene.b.wait { $0.people.first?.video == .off })
        try scene.a.call("video.preview", ["on": .bool(true)])
        #expect(try scene.a.wait { $0.state.video.isOpen == true && $0.state.video.isMuted })
        #expect(!scene.a.state.video.isClosed && scene.a.state.video.shown == .off)
        #expect(try Eye(scene.a, at: "me", width: 64, height: 48).next() != nil)
        // What is told afterwards comes after what would have been told before.
        try scene.a.call("audio.mute", ["on": .bool(true)])
        #expect(try scene.b.wait { $0.people.first?.isMuted == true && $0.people.first?.video == .off })
    }

    @Test func theSourcesThatThereAreCanBeChosen() throws {
        let core = try SoundingCore("a", pulse: nil)
        guard case .array(let sources)? = try core.call("video.sources")["sources"] else {
            Issue.record("no list")
            return
        }
        // Cameras come first, each with its formats.
        let cameras = sources.dropLast()
        #expect(cameras.map { $0["name"]?.stringValue } == Camera.all().map { "camera:\($0.path)" })
        #expect(cameras.allSatisfy { $0["formats"] != nil })
        #expect(
            sources.last == .object(["name": .string("pattern"), "description": .string("test pattern")]))
        for source in sources {
            let name = try #require(source["name"])
            #expect(try core.call("video.select", ["source": name])["source"] == name)
            #expect(try core.wait { $0.state.video.source?.description == source["description"]?.stringValue })
        }
        try core.call("video.mute", ["on": .bool(false)])
        #expect(
            try core.wait { !$0.state.video.isMuted && $0.state.video.camera == .muted }, "nobody is there to see it")
    }
}

extension SoundingCore {
    /// The encodings of the pictures that come and go, by the next figures.
    fileprivate func pictureCodecs() throws -> [String: String] {
        let figures = try nextStatistics().people.values.first
        return ["in": figures?.video?.codec, "out": figures?.videoSent?.codec].compactMapValues { $0 }
    }
}

extension SeenCallTests.Scene {
    /// What is counted of `a`'s pictures on their way to `b`, by its W3C name.
    fileprivate func sent(_ name: String) throws -> Int {
        try a.streams("outbound-rtp").first { $0["kind"]?.stringValue == "video" }?[name]?.integerValue ?? 0
    }
}
