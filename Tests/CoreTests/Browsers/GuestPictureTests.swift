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
            let sights = eye.next(60)
            #expect(sights.contains { $0.color.red > 120 && $0.color.green < 60 })
            #expect(sights.contains { $0.color.green > 120 && $0.color.red < 60 })
            #expect(sights.count == 60)

            try scene.page.click("picture")
            #expect(try scene.core.wait { $0.people.first?.video == .off })
            try scene.core.call("video.mute", ["on": .bool(true)])
            #expect(try scene.page.waits(for: "document.querySelector(\"\(Self.picture)\").hidden"))
            #expect(try scene.faults().isEmpty)
        }

        /// The page sends as large a picture as this side's screen needs.
        @Test(arguments: BrowserKind.allCases) func theScreenDecidesHowLargeAPictureThePageSends(_ kind: BrowserKind)
            throws
        {
            let scene = try GuestScene(kind)
            try scene.join()
            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            #expect(try scene.height(width: 160, height: 90) { $0 <= 190 } > 0)
            #expect(try scene.height(width: 640, height: 480) { $0 >= 360 } > 0)
            #expect(try scene.height(width: 160, height: 90) { $0 <= 190 } > 0)
            #expect(try scene.faults().isEmpty)
        }

        /// RFC 8853: the offer of several qualities is answered with one, which then comes.
        @Test(arguments: BrowserKind.allCases) func ofSeveralQualitiesThatAreOfferedOneComes(_ kind: BrowserKind) throws
        {
            let scene = try GuestScene(kind)
            try scene.page.open(scene.link)
            try scene.page.evaluate(
                """
                (() => {
                  const add = RTCPeerConnection.prototype.addTransceiver;
                  RTCPeerConnection.prototype.addTransceiver = function (kind, options) {
                    const sendEncodings = [{ rid: "h" }, { rid: "l", scaleResolutionDownBy: 4 }];
                    return add.call(this, kind, kind === "video" ? { ...options, sendEncodings } : options);
                  };
                  const tell = RTCPeerConnection.prototype.setLocalDescription;
                  RTCPeerConnection.prototype.setLocalDescription = async function (...description) {
                    await tell.apply(this, description);
                    probe.offered ??= this.localDescription.sdp;
                  };
                })()
                """)
            try scene.page.enter(as: "guest")
            try #require(try scene.core.waitForPeople(1))
            #expect(try scene.page.waits(for: "/a=simulcast:send h;l/.test(probe.offered)"))
            #expect(try scene.page.waits(for: "!/a=(simulcast|rid)/.test(probe.connection.remoteDescription.sdp)"))
            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            #expect(try scene.height(width: 640, height: 480) { $0 >= 360 } > 0)
            let eye = try Eye(scene.core, at: scene.core.people[0].id, width: 640, height: 480)
            let sights = eye.next(40)
            #expect(sights.count == 40)
            #expect(sights.contains { $0.color.red > 120 } && sights.contains { $0.color.green > 120 })
        }
    }
}

extension GuestScene {
    /// The height of the guest's pictures at an eye of this size, once it is as `condition` wants; 0: it never is.
    fileprivate func height(width: Int, height: Int, _ condition: (Int) -> Bool) throws -> Int {
        let eye = try Eye(core, at: core.people[0].id, width: width, height: height)
        let deadline = MonoTime.now() + .seconds(20)
        while MonoTime.now() < deadline, let sight = eye.next() {
            if condition(sight.source.height) { return sight.source.height }
        }
        return 0
    }

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
