import ControlProtocol
import Devices
import MediaEngine
import Primitives
import TestSupport
import Testing

extension BrowserTests {
    /// Pictures between a browser and a core, told by what they show.
    @Suite struct GuestPictureTests {
        private static let picture = "#people video"

        @Test(arguments: BrowserKind.allCases) func picturesGoBothWays(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            try scene.core.call("video.select", ["source": .string("pattern")])
            try scene.core.call("video.mute", ["on": .bool(false)])
            let first = try #require(try scene.timecode())
            _ = try scene.page.waits(for: "false", within: .milliseconds(300))
            let second = try #require(try scene.timecode())
            #expect((200...5000).contains(second.milliseconds - first.milliseconds))

            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            let eye = try Eye(scene.core, at: scene.core.people[0].id, width: 320, height: 240)
            let sights = eye.watch(.seconds(4))
            #expect(sights.contains { $0.color.red > 120 && $0.color.green < 60 })
            #expect(sights.contains { $0.color.green > 120 && $0.color.red < 60 })
            #expect(sights.count > 40, "\(sights.count) in 4 s")

            try scene.page.click("picture")
            #expect(try scene.core.wait { $0.people.first?.video == .off })
            try scene.core.call("video.mute", ["on": .bool(true)])
            #expect(try scene.page.waits(for: "document.querySelector(\"\(Self.picture)\").hidden"))
            #expect(try scene.faults().isEmpty)
        }
    }
}

extension GuestScene {
    /// What the page shows of the core's test pattern.
    fileprivate func timecode() throws -> Timecode? {
        let size = VideoSize(width: 128, height: 72)
        for _ in 0..<40 {
            guard try page.waits(for: "document.querySelector(\"#people video\").videoWidth > 0") else { return nil }
            guard case .array(let luma) = try page.evaluate("probe.look(\"#people video\")") else { return nil }
            var frame = VideoFrame.black(size, time: .now())
            for (index, value) in luma.enumerated() { frame.bytes[index] = UInt8(clamping: value.integerValue ?? 0) }
            if let code = Timecode(in: frame) { return code }
        }
        return nil
    }
}
