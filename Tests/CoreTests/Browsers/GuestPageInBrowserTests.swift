import ControlProtocol
import Primitives
import TestSupport
import Testing

extension BrowserTests {
    /// The page itself: what it needs, what it keeps, how it looks, what it says when something is missing.
    @Suite struct GuestPageInBrowserTests {
        /// A microphone is a wish: without one there is a reason in words, and a call to listen to.
        @Test(
            arguments: BrowserKind.allCases,
            [("NotAllowedError", "Allow it in the address bar"), ("NotFoundError", "no such microphone")])
        func withoutAMicrophoneThereIsAReasonAndACallToListenTo(
            _ kind: BrowserKind, _ problem: (name: String, words: String)
        ) throws {
            let scene = try GuestScene(kind)
            try scene.page.prepare(
                "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException(\"\", \"\(problem.name)\"); };"
            )
            try scene.page.open(scene.link)
            let text = "document.getElementById(\"microphone-problem\").textContent"
            #expect(try scene.page.waits(for: "\(text).includes(\"\(problem.words)\")"))
            try scene.page.fill("name", "guest")
            try scene.page.evaluate("document.querySelector(\"#join button\").click()")
            try #require(try scene.core.waitForPeople(1))
            #expect(try scene.core.wait { $0.people.first?.isMuted == true })
            #expect(try scene.page.waits(for: "document.querySelector(\"#people meter\").value > 0.5"))
            #expect(try scene.page.text("microphone-state") == "No microphone")
            #expect(try scene.faults().isEmpty)
        }

        /// Who only listens sends no media, and is not taken for lost.
        @Test(arguments: BrowserKind.allCases) func whoListensOnlyStaysConnected(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.open(scene.link)
            try scene.page.chooseDevices(of: "guest")
            #expect(try scene.page.choose("microphone", "No microphone"))
            try scene.page.fill("name", "guest")
            try scene.page.evaluate("document.querySelector(\"#join button\").click()")
            try #require(try scene.core.waitForPeople(1))
            #expect(try scene.ear("guest").hears(only: ["core"]))
            #expect(try !scene.core.wait(within: .seconds(7)) { $0.people.first?.link != .connected })
            #expect(try scene.page.choose("microphone", "guest_microphone"))
            #expect(try scene.ear("core").hears(only: ["guest"]), "a microphone may come later")
        }

        /// Over a certificate of its own the page works too, once the person has accepted it.
        @Test(arguments: BrowserKind.allCases) func aSelfSignedCertificateThatIsAcceptedWorks(_ kind: BrowserKind)
            throws
        {
            let stage = try #require(BrowserStage.current)
            let core = try stage.core()
            let answer = try core.call(
                "room.host", ["listen": .string("0.0.0.0:0"), "muted": .bool(false), "name": .string("core")])
            guard case .array(let links)? = answer["links"], let link = links.first?.stringValue else {
                throw BrowserFailure(description: "no link")
            }
            #expect(link.hasPrefix("https://127.0.0.1:"))
            let page = try stage.page(kind)
            defer { try? page.close() }
            try page.join(link, as: "guest")
            try #require(try core.waitForPeople(1))
            #expect(try stage.ear("core").hears(only: ["guest"]))
            #expect(try stage.ear("guest").hears(only: ["core"]))
        }

        @Test(arguments: BrowserKind.allCases) func nothingIsAskedOfOthersAndNothingIsKeptButTheName(
            _ kind: BrowserKind
        ) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            let origins =
                "[...new Set(performance.getEntries().map((each) => each.name)"
                + ".filter((name) => name.includes(\":\")).map((name) => new URL(name).origin))]"
            #expect(try scene.page.evaluate("\(origins).join() === location.origin") == .bool(true))
            #expect(try scene.page.evaluate("document.cookie") == .string(""))
            #expect(try scene.page.evaluate("indexedDB.databases?.().then((all) => all.length) ?? 0") == .integer(0))
            let keys = try scene.page.evaluate("Object.keys(localStorage).sort().join()")
            #expect(keys == .string("hoot.identity,hoot.input,hoot.name,hoot.output"))
            let secret = try #require(scene.link.split(separator: "#").last)
            #expect(try scene.page.evaluate("JSON.stringify(localStorage).includes(\"\(secret)\")") == .bool(false))
            #expect(try scene.page.evaluate("location.hash") == .string("#\(secret)"), "for a reload")
            #expect(try scene.faults().isEmpty)
        }

        @Test(arguments: BrowserKind.allCases) func itFitsAPhoneAndHasNamesForEverything(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.resize(width: 320, height: 640)
            try scene.page.open(scene.link)
            let fits = "document.documentElement.scrollWidth <= innerWidth && innerWidth === 320"
            #expect(try scene.page.evaluate(fits) == .bool(true))
            try scene.join()
            try #require(try scene.core.wait { $0.people.first?.authenticationString != nil })
            try scene.page.say(String(repeating: "wide", count: 200))
            #expect(try scene.page.evaluate(fits) == .bool(true))
            let unnamed = """
                [...document.querySelectorAll("button, input, select, meter, section, ul, ol")]
                  .filter((each) => each.checkVisibility() && !(each.getAttribute("aria-label")
                    || each.getAttribute("aria-labelledby") || each.labels?.length || each.textContent.trim()))
                  .map((each) => each.outerHTML)
                """
            #expect(try scene.page.evaluate(unnamed) == .array([]))
            let small = """
                [...document.querySelectorAll("button, select, input:not([type=checkbox])")]
                  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
                  .map((each) => each.outerHTML)
                """
            #expect(try scene.page.evaluate(small) == .array([]), "a finger needs 44 px")
        }

        /// An address without its secret, a wrong one, and a room that is not there.
        @Test(arguments: BrowserKind.allCases) func brokenLinksAreToldInWords(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            let address = try #require(scene.link.split(separator: "#").first)
            try scene.page.open(String(address))
            #expect(try scene.page.text("farewell-text").contains("no whole link"))
            #expect(try scene.page.evaluate("document.getElementById(\"again\").hidden") == .bool(true))
            try scene.page.open("\(address)#AAAAAAAAAAAAAAAAAAAAAAAA")
            try scene.page.fill("name", "eve")
            try scene.page.evaluate("document.querySelector(\"#join button\").click()")
            #expect(
                try scene.page.waits(
                    for: "document.getElementById(\"farewell-text\").textContent.includes(\"new link\")"))
            #expect(scene.core.people.isEmpty)
        }

        /// A page of another origin may not speak for the person who looks at it.
        @Test(arguments: BrowserKind.allCases) func anotherOriginsPageGetsNoWebSocket(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            let address = try #require(scene.link.split(separator: "/r/").first).replacing("http:", with: "ws:") + "/ws"
            let attempt = """
                new Promise((resolve) => {
                  const socket = new WebSocket("\(address)");
                  socket.onopen = () => resolve("open");
                  socket.onerror = () => resolve("refused");
                })
                """
            try scene.page.open("about:blank")
            #expect(try scene.page.evaluate(attempt) == .string("refused"))
            try scene.page.open(scene.link)
            #expect(try scene.page.evaluate(attempt) == .string("open"))
        }

        /// Somebody in the middle who swaps certificates: no media flow, the reason is shown, the others are untouched.
        @Test func aFingerprintThatDoesNotMatchIsRefused() throws {
            let scene = try GuestScene(.chromium)
            try scene.join()
            let ear = try scene.ear("core")
            try #require(ear.hears(only: ["guest"]))
            let mallory = try scene.stage.page(.firefox)
            defer { try? mallory.close() }
            try mallory.prepare(Self.liesAboutFingerprints)
            try mallory.join(scene.link, as: "other")
            #expect(
                try scene.core.wait { core in
                    core.people.contains { $0.name == "other" && $0.link == .failed && $0.reason != nil }
                }, "\(scene.core.people)")
            #expect(ear.hears(only: ["guest"]))
        }

        private static let liesAboutFingerprints = """
            {
              const send = WebSocket.prototype.send;
              WebSocket.prototype.send = function (text) {
                const zeros = Array(32).fill("00").join(":");
                send.call(this, text.replace(/(a=fingerprint:sha-256 )[0-9A-F:]+/g, `$1${zeros}`));
              };
            }
            """
    }
}
