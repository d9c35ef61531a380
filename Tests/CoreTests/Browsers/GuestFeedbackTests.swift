import ControlProtocol
import Primitives
import TestSupport
import Testing

extension BrowserTests {
    /// What a browser and a core tell each other of their pictures where packets get lost.
    @Suite struct GuestFeedbackTests {
        private static let ports = ["network": ["media-ports=41000-41015"]]

        /// One in twelve packets gets lost, each way, and is repeated in a stream of its own (RFC 4588). Once what is
        /// repeated gets lost too, only key frames help, which both sides ask for and get.
        @Test(arguments: BrowserKind.allCases) func lossesAreMendedBothWays(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind, settings: Self.ports)
            try scene.join()
            try scene.core.showPattern()
            try #require(try scene.seesTimePass())
            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            let eye = try Eye(scene.core, at: scene.core.people[0].id, width: 640, height: 480)
            try #require(eye.waits(for: \.isRed) && eye.waits(for: \.isGreen))
            let types = try scene.pictureTypes()
            defer { try? scene.stage.network.run("nft delete table inet pictures") }
            try scene.stage.network.run(Self.path(types))

            try scene.stage.network.run(Self.losing(types.original))
            for direction in ["inbound-rtp", "outbound-rtp"] {
                #expect(try scene.comesTo(direction, "nackCount", moreThan: 5), "\(direction)")
            }
            #expect(try scene.coreComesTo("inbound-rtp", "nackCount", moreThan: 5))
            #expect(try scene.coreComesTo("outbound-rtp", "nackCount", moreThan: 5))
            #expect(try scene.coreComesTo("inbound-rtp", "retransmittedPacketsReceived", moreThan: 5))
            #expect(try scene.coreComesTo("outbound-rtp", "retransmittedPacketsSent", moreThan: 5))
            #expect(try scene.comesTo("outbound-rtp", "retransmittedPacketsSent", moreThan: 5))
            // Firefox does not tell what it got of them.
            if kind == .chromium {
                #expect(try scene.comesTo("inbound-rtp", "retransmittedPacketsReceived", moreThan: 5))
            }
            #expect(try scene.seesTimePass())
            #expect(eye.waits(for: \.isRed) && eye.waits(for: \.isGreen))
            for name in ["repeated_to_core", "repeated_to_page", "feedback_to_core", "feedback_to_page"] {
                #expect(try scene.counts(name), "\(name)")
            }
            if kind == .chromium {
                let estimate = "probe.stats(\"candidate-pair\").then((pair) => pair.availableOutgoingBitrate > 0)"
                #expect(try scene.page.waits(for: estimate))
            }

            let asked = try (scene.figure("inbound-rtp", "pliCount"), scene.figure("outbound-rtp", "pliCount"))
            let keyFrames = try scene.figure("outbound-rtp", "keyFramesEncoded")
            try scene.stage.network.run("nft add rule inet pictures out @th,73,7 \(types.repeated) drop")
            #expect(try scene.comesTo("inbound-rtp", "pliCount", moreThan: asked.0), "the browser asks")
            #expect(try scene.comesTo("outbound-rtp", "pliCount", moreThan: asked.1), "the core asks")
            // Firefox does not tell how many it made.
            if kind == .chromium {
                #expect(try scene.comesTo("outbound-rtp", "keyFramesEncoded", moreThan: keyFrames))
            }
            #expect(try scene.coreComesTo("inbound-rtp", "pliCount", moreThan: 0))
            #expect(try scene.coreComesTo("outbound-rtp", "pliCount", moreThan: 0))
            try scene.stage.network.run("nft flush chain inet pictures out")
            #expect(try scene.seesTimePass())
            #expect(eye.waits(for: \.isRed) && eye.waits(for: \.isGreen))
            #expect(try scene.faults().isEmpty)
        }

        /// Who takes commands only (RFC 5104, section 4.3.1) is sent commands, and follows them.
        @Test(arguments: BrowserKind.allCases) func whoTakesNoPLIIsSentFIR(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.prepare(Self.takesNoPLI)
            try scene.join()
            try scene.page.click("picture")
            try #require(try scene.core.wait { $0.people.first?.video == .camera })
            // Where nothing has come yet there is nobody to be asked.
            for _ in 0..<2 {
                let eye = try Eye(scene.core, at: scene.core.people[0].id, width: 320, height: 240)
                #expect(eye.waits(for: \.isRed) && eye.waits(for: \.isGreen))
                try scene.core.call("video.show", ["pictures": .array([])])
            }
            #expect(try scene.comesTo("outbound-rtp", "firCount", moreThan: 0))
            #expect(try scene.figure("outbound-rtp", "pliCount") == 0)
            #expect(try scene.coreComesTo("inbound-rtp", "firCount", moreThan: 0))
        }

        private static let takesNoPLI = """
            {
              const send = WebSocket.prototype.send;
              WebSocket.prototype.send = function (text) {
                send.call(this, text.replaceAll(/a=rtcp-fb:[0-9*]+ nack pli\\\\r\\\\n/g, ""));
              };
            }
            """

        /// Counts what is repeated, and transport-wide feedback, each way: by payload type, and by the format and the
        /// type in RTCP's first word, which is not encrypted.
        private static func path(_ types: (original: Int, repeated: Int)) -> String {
            let directions = [("core", "udp dport 41000-41015"), ("page", "udp sport 41000-41015")]
            let counters = directions.flatMap { ["repeated_to_\($0.0)", "feedback_to_\($0.0)"] }
            let rules = directions.flatMap { name, match in
                [
                    "\(match) @th,73,7 \(types.repeated) counter name repeated_to_\(name)",
                    "\(match) @th,64,16 0x8fcd counter name feedback_to_\(name)",
                ]
            }
            return """
                nft 'table inet pictures {
                    \(counters.map { "counter \($0) { }" }.joined(separator: "\n"))
                    chain count {
                        type filter hook input priority 0
                        \(rules.joined(separator: "\n"))
                    }
                    chain out {
                        type filter hook output priority 0
                    }
                }'
                """
        }

        private static func losing(_ type: Int) -> String {
            "nft 'add rule inet pictures out meta l4proto udp @th,73,7 \(type) numgen random mod 12 0 drop'"
        }
    }
}

extension GuestScene {
    /// The payload types of pictures and of their repetitions, as agreed on.
    fileprivate func pictureTypes() throws -> (original: Int, repeated: Int) {
        let sdp = "probe.connection.remoteDescription.sdp"
        let original = try page.evaluate("Number(\(sdp).match(/a=rtpmap:(\\d+) VP8/)[1])").integerValue
        let type = try #require(original)
        let repeated = try page.evaluate("Number(\(sdp).match(/a=fmtp:(\\d+) apt=\(type)\\b/)[1])").integerValue
        return (type, try #require(repeated))
    }

    /// A figure of the page's pictures.
    fileprivate func figure(_ direction: String, _ name: String) throws -> Int {
        try page.evaluate("probe.stats(\"\(direction)\", \"video\").then((entry) => entry.\(name) ?? 0)").integerValue
            ?? 0
    }

    fileprivate func comesTo(_ direction: String, _ name: String, moreThan count: Int) throws -> Bool {
        try page.waits(for: "probe.stats(\"\(direction)\", \"video\").then((entry) => entry.\(name) > \(count))")
    }

    /// The same of the core's.
    fileprivate func coreComesTo(_ direction: String, _ name: String, moreThan count: Int) throws -> Bool {
        let deadline = MonoTime.now() + .seconds(60)
        while MonoTime.now() < deadline {
            let stream = try core.streams(direction).first { $0["kind"] == "video" }
            if (stream?[name]?.integerValue ?? 0) > count { return true }
            _ = try core.nextStatistics()
        }
        return false
    }

    /// Whether a counter of the path has counted.
    fileprivate func counts(_ name: String) throws -> Bool {
        let look = "nft list counter inet pictures \(name) | grep -q 'packets [1-9]'"
        let deadline = MonoTime.now() + .seconds(60)
        while MonoTime.now() < deadline {
            if (try? stage.network.run(look)) != nil { return true }
            _ = try core.nextStatistics()
        }
        return false
    }
}
