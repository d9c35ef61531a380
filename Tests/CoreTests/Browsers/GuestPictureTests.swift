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

        /// Off and on again, at both ends.
        @Test(arguments: BrowserKind.allCases, VideoCodec.allCases)
        func picturesGoBothWays(_ kind: BrowserKind, _ codec: VideoCodec) throws {
            let scene = try GuestScene(kind, settings: ["video": ["codec=\(codec.rawValue)"]])
            try scene.join()
            try scene.core.showPattern()
            #expect(try scene.seesTimePass())
            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            let eye = try Eye(scene.core, at: scene.core.people[0].id, width: 320, height: 240)
            let sights = eye.next(60)
            #expect(sights.count == 60 && sights.contains(where: \.isRed) && sights.contains(where: \.isGreen))
            for direction in ["inbound-rtp", "outbound-rtp"] {
                #expect(try scene.codec(direction) == "video/\(codec.rawValue)", "\(direction)")
            }

            try scene.page.click("picture")
            #expect(try scene.core.wait { $0.people.first?.video == .off })
            try scene.core.call("video.mute", ["on": .bool(true)])
            #expect(try scene.page.waits(for: "document.querySelector(\"\(Self.picture)\").hidden"))
            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            #expect(eye.waits(for: \.isRed) && eye.waits(for: \.isGreen), "on again")
            try scene.core.call("video.mute", ["on": .bool(false)])
            #expect(try scene.seesTimePass(), "on again")
            #expect(try scene.faults().isEmpty)
        }

        /// Another camera needs no negotiation.
        @Test(arguments: BrowserKind.allCases) func anotherCameraIsSeenAtOnce(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            let eye = try Eye(scene.core, at: scene.core.people[0].id, width: 320, height: 240)
            #expect(eye.waits(for: \.isRed) && eye.waits(for: \.isGreen))
            let before = try scene.page.evaluate("probe.connection.localDescription.sdp")
            #expect(try scene.page.choose("camera", "other camera"))
            #expect(eye.waits(for: \.isBlue))
            #expect(eye.next(30).count(where: \.isBlue) == 30, "it stays")
            #expect(try scene.page.choose("camera", "usual camera"))
            #expect(eye.waits(for: \.isRed) && eye.waits(for: \.isGreen))
            #expect(try scene.page.evaluate("probe.connection.localDescription.sdp") == before)
            #expect(try scene.page.waits(for: "document.getElementById(\"own-tile-picture\").videoWidth > 0"))
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
            try scene.open()
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
            try scene.enter()
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
        let deadline = MonoTime.now() + .seconds(60)
        while MonoTime.now() < deadline, let sight = eye.next() {
            if condition(sight.source.height) { return sight.source.height }
        }
        return 0
    }

    /// Whether the page shows the core's test pattern, and its time passes.
    func seesTimePass() throws -> Bool {
        // After losses a path is tried again half a minute later at the most.
        let deadline = MonoTime.now() + .seconds(90)
        var last: Timecode?
        while MonoTime.now() < deadline {
            guard let next = try timecode(), next != last else { continue }
            let step = last.map { (next.milliseconds - $0.milliseconds) & (Timecode.period - 1) } ?? 0
            if (1...30_000).contains(step) { return true }
            last = next
        }
        return false
    }

    /// By what the pictures in this direction of the page's last connection are encoded.
    fileprivate func codec(_ direction: String) throws -> String? {
        let name = """
            (async () => {
              const all = await probe.connection.getStats();
              const stream = [...all.values()].find(({ type, kind }) => type === "\(direction)" && kind === "video");
              return all.get(stream?.codecId)?.mimeType.toLowerCase();
            })()
            """
        return try page.evaluate(name).stringValue
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

extension Eye.Sight {
    var isRed: Bool { color.red > 120 && color.green < 60 }
    var isGreen: Bool { color.green > 120 && color.red < 60 }
    var isBlue: Bool { color.blue > 120 && color.red < 60 && color.green < 60 }
}
