import ControlProtocol
import Devices
import Primitives
import TestSupport
import Testing

/// Pictures from one real core to another, read back from what its console is shown.
@Suite(.serialized) struct SeenCallTests {
    fileprivate final class Scene {
        let network: NetworkNamespace
        let a: SoundingCore
        let b: SoundingCore

        init(lossPercent: Int = 0) throws {
            network = try NetworkNamespace()
            a = try SoundingCore("a", pulse: nil, network: network)
            b = try SoundingCore("b", pulse: nil, network: network)
            try b.join(try a.host("room"))
            try #require(try a.waitForPeople(1) && b.waitForPeople(1))
            guard lossPercent > 0 else { return }
            try network.run(
                """
                nft 'table inet path { chain out { type filter hook output priority 0; \\
                    meta l4proto udp numgen random mod 100 < \(lossPercent) drop; }; }'
                """)
        }

        /// Has `a` show a test pattern.
        func show() throws {
            try a.call("video.select", ["source": .string("pattern")])
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
        #expect(codes.count >= (lossPercent < 10 ? 80 : 50), "\(codes.count) in 4 s")
        #expect(
            zip(codes, codes.dropFirst()).allSatisfy {
                (1..<1000).contains(($1.milliseconds - $0.milliseconds) & (Timecode.period - 1))
            })
        let ages = sights.compactMap { sight in sight.timecode.map { $0.age(at: sight.time).milliseconds } }.sorted()
        let median = ages.isEmpty ? 9999 : ages[ages.count / 2]
        print("\(lossPercent) % loss: \(codes.count) pictures in 4 s, \(Int(median)) ms old at the median")
        #expect(median < 250)
        #expect(try lossPercent == 0 || scene.sent("nackCount") > 0, "nothing was lost")
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
        #expect(eye.next(within: .seconds(2)) != nil)
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

extension SeenCallTests.Scene {
    /// What is counted of `a`'s pictures on their way to `b`, by its W3C name.
    fileprivate func sent(_ name: String) throws -> Int {
        try a.streams("outbound-rtp").first { $0["kind"]?.stringValue == "video" }?[name]?.integerValue ?? 0
    }
}
