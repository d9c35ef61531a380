import ControlProtocol
import Primitives
import TestSupport
import Testing

extension BrowserTests {
    /// Offers and answers with real browsers, in every order.
    @Suite struct NegotiationTests {
        /// Who comes later offers; here that is a second core, so the browser answers.
        @Test(arguments: BrowserKind.allCases) func aBrowserAnswersACoreThatComesLater(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            let second = try scene.stage.core("other")
            try second.join(scene.link)
            try #require(try second.waitForPeople(2))
            #expect(try scene.ear("guest").hears(only: ["core", "other"]))
            #expect(try scene.ear("other").hears(only: ["core", "guest"]))
            #expect(try scene.ear("core").hears(only: ["guest", "other"]))
            #expect(try scene.page.evaluate("probe.connection.localDescription.type") == .string("answer"))
            #expect(try scene.faults().isEmpty)
        }

        /// The browser as the DTLS server: then its preference among SRTP profiles decides.
        @Test(arguments: BrowserKind.allCases) func aBrowserMayBeTheDTLSServer(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.prepare(Self.answersPassively)
            try scene.join()
            let second = try scene.stage.core("other")
            try second.join(scene.link)
            try #require(try second.waitForPeople(2))
            #expect(try scene.ear("guest").hears(only: ["core", "other"]))
            #expect(try scene.ear("other").hears(only: ["core", "guest"]))
            let id = try #require(second.people.first { $0.name == "guest" }?.id)
            let transport = try second.transport(of: id)
            #expect(transport["dtlsRole"] == .string("client"))
            // Chromium prefers the older profile, Firefox and the core the newer one.
            let preferred = kind == .chromium ? "SRTP_AES128_CM_SHA1_80" : "SRTP_AEAD_AES_128_GCM"
            #expect(transport["srtpCipher"] == .string(preferred))
            let own = try scene.core.transport(of: id)
            #expect(own["dtlsRole"] == .string("server"))
            #expect(own["srtpCipher"] == .string("SRTP_AEAD_AES_128_GCM"))
        }

        /// Both sides offer again and again, often at the same time.
        @Test(arguments: BrowserKind.allCases) func offersThatCrossEndInOneAgreement(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            for round in 0..<12 {
                let isHeld = round % 2 == 0
                try scene.page.evaluate("setTimeout(() => document.getElementById(\"hold\").click())")
                try scene.core.call("call.hold", ["on": .bool(isHeld)])
            }
            try #require(try scene.page.waits(for: "document.getElementById(\"hold\").textContent === \"Hold\""))
            #expect(try scene.ear("guest").hears(only: ["core"]))
            #expect(try scene.ear("core").hears(only: ["guest"]))
            #expect(try scene.page.waits(for: "probe.connection.signalingState === \"stable\""))
            #expect(try scene.faults().isEmpty)
        }

        @Test(arguments: BrowserKind.allCases) func iceRestartsFromTheBrowserKeepTheSound(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            let ear = try scene.ear("core")
            try #require(ear.hears(only: ["guest"]))
            let ufrag = "probe.connection.remoteDescription.sdp.match(/ice-ufrag:(.*)/)[1]"
            let before = try scene.page.evaluate(ufrag).stringValue ?? ""
            try scene.page.evaluate("probe.connection.restartIce()")
            try #require(try scene.page.waits(for: "\(ufrag) !== \"\(before)\""))
            let heard = ear.listen(seconds: 3)
            #expect(heard.longestSilence() < 4800, "\(heard.longestSilence()) samples of silence")
            #expect(ear.hears(only: ["guest"]))
            #expect(try scene.ear("guest").hears(only: ["core"]))
            #expect(try scene.page.evaluate("probe.connection.connectionState") == .string("connected"))
        }

        @Test(arguments: BrowserKind.allCases) func offeredVideoIsDeclinedWithoutHarm(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            let ear = try scene.ear("core")
            try #require(ear.hears(only: ["guest"]))
            try scene.page.evaluate("void probe.connection.addTransceiver(\"video\")")
            try #require(try scene.page.waits(for: "/^m=video 0 /m.test(probe.connection.remoteDescription.sdp)"))
            #expect(try scene.page.waits(for: "probe.connection.signalingState === \"stable\""))
            #expect(ear.listen(seconds: 1).longestSilence() < 4800)
            #expect(try scene.ear("guest").hears(only: ["core"]))
            try scene.page.click("hold")
            #expect(ear.fallsSilent())
            try scene.page.click("hold")
            #expect(ear.hears(only: ["guest"]))
        }

        /// The signalling breaks and comes back; the sound does not notice.
        @Test(arguments: BrowserKind.allCases) func aBrokenSignallingLinkComesBackUnheard(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            let ear = try scene.ear("core")
            try #require(ear.hears(only: ["guest"]))
            let count = try scene.page.evaluate("probe.connections.length")
            try scene.page.evaluate("probe.sockets.at(-1).close()")
            #expect(try scene.page.waits(for: "document.getElementById(\"trouble\").textContent !== \"\""))
            #expect(try scene.page.waits(for: "document.getElementById(\"trouble\").textContent === \"\""))
            let heard = ear.listen(seconds: 1)
            #expect(heard.longestSilence() < 4800)
            #expect(try scene.page.evaluate("probe.connections.length") == count)
            try scene.page.click("mute")
            #expect(try scene.core.wait { $0.people.first?.isMuted == true })
            #expect(try scene.faults().isEmpty)
        }

        /// Who was away while somebody began or ended to record is told on the way back.
        @Test(arguments: BrowserKind.allCases) func whatWasMissedOfRecordingIsTold(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            let folder = try TemporaryDirectory("hoot-record")
            for (isOn, words) in [
                (true, "core\u{2069} records the call"), (false, "core\u{2069} no longer records the call"),
            ] {
                try scene.page.evaluate("probe.isAway = true, probe.sockets.at(-1).close()")
                try #require(try scene.page.waits(for: "document.getElementById(\"trouble\").textContent !== \"\""))
                try scene.core.call(
                    "call.record", isOn ? ["file": .string(folder.path + "/a.wav")] : ["on": .bool(false)])
                #expect(try !scene.page.text("notices").contains(words))
                try scene.page.evaluate("probe.isAway = false")
                #expect(
                    try scene.page.waits(for: "document.getElementById(\"notices\").textContent.includes(\"\(words)\")")
                )
                let state = "document.querySelector(\"#people .state\").textContent"
                #expect(try scene.page.waits(for: "\(state).includes(\"records\") === \(isOn)"))
            }
        }

        /// Three in a room: each pair has its own connection.
        @Test func twoBrowsersAndACoreHearEachOther() throws {
            let scene = try GuestScene(.chromium)
            try scene.join()
            let other = try scene.stage.page(.firefox)
            defer { try? other.close() }
            try other.join(scene.link, as: "other")
            try #require(try scene.core.waitForPeople(2))
            #expect(try scene.ear("core").hears(only: ["guest", "other"]))
            #expect(try scene.ear("guest").hears(only: ["core", "other"]))
            #expect(try scene.ear("other").hears(only: ["core", "guest"]))
            try scene.page.say("hello")
            #expect(try other.waits(for: "document.getElementById(\"messages\").innerText.includes(\"guest hello\")"))
            let code = "document.querySelectorAll(\".code\")[1].textContent"
            #expect(try scene.page.waits(for: "!\(code).endsWith(\" \")"))
            let codes = try [scene.page, other].map {
                try $0.evaluate("[...document.querySelectorAll(\".code\")].map((each) => each.textContent)")
            }
            guard case .array(let first) = codes[0], case .array(let second) = codes[1] else { return }
            #expect(Set(first).intersection(second).count == 1, "the pair's code, and no other, is on both pages")
        }

        /// Has the page answer as the passive side.
        private static let answersPassively = """
            {
              const set = RTCPeerConnection.prototype.setLocalDescription;
              RTCPeerConnection.prototype.setLocalDescription = async function () {
                if (this.signalingState !== "have-remote-offer") return set.call(this);
                const { type, sdp } = await this.createAnswer();
                return set.call(this, { type, sdp: sdp.replaceAll("a=setup:active", "a=setup:passive") });
              };
            }
            """
    }
}

extension SoundingCore {
    /// The statistics of the transport to somebody, in the words of webrtc-stats.
    func transport(of id: String) throws -> JSONValue {
        guard case .array(let entries)? = try call("stats.get")["participants"]?[id]?["transport"],
            let transport = entries.first
        else { return .null }
        return transport
    }
}
