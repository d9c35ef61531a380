import ControlProtocol
import Primitives
import TestSupport
import Testing

extension BrowserTests {
    /// The page under fingers, keys and screen readers.
    @Suite struct PageUseTests {
        private static let active = "document.activeElement.id"

        /// What had the focus goes with its part of the page: the part that comes takes it.
        @Test(arguments: BrowserKind.allCases) func theFocusFollowsFromPartToPart(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            #expect(try scene.page.evaluate(Self.active) == .string("call"))
            try scene.page.click("leave")
            #expect(try scene.page.evaluate(Self.active) == .string("farewell"))
        }

        /// A message scrolls its list, and nothing else.
        @Test(arguments: BrowserKind.allCases) func aMessageDoesNotMoveThePage(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.resize(width: 375, height: 300)
            try scene.join()
            try #require(try scene.core.wait { $0.people.first?.canChat == true })
            try scene.page.evaluate("scrollTo(0, 0)")
            for number in 0..<20 { try scene.core.call("chat.send", ["text": .string("line \(number)")]) }
            #expect(try scene.page.waits(for: "document.querySelectorAll(\"#messages li\").length === 20"))
            #expect(try scene.page.evaluate("scrollY") == .integer(0))
            let last = "document.getElementById(\"messages\")"
            #expect(try scene.page.evaluate("\(last).scrollTop > 0") == .bool(true))
            #expect(
                try scene.page.evaluate("\(last).scrollHeight - \(last).scrollTop - \(last).clientHeight < 2")
                    == .bool(true), "the newest is to be seen")
        }

        /// The camera is seen before anybody else sees it.
        @Test(arguments: BrowserKind.allCases) func whoTurnsTheCameraOnAtTheDoorSeesItThere(_ kind: BrowserKind) throws
        {
            let scene = try GuestScene(kind)
            try scene.open()
            try scene.page.click("start-picture")
            #expect(try scene.page.waits(for: "document.getElementById(\"own-picture\").videoWidth > 0"))
            try scene.enter()
            #expect(try scene.core.wait { $0.people.first?.video == .camera })
            #expect(try scene.page.text("picture") == "Camera off")
        }

        /// At twice the size, with names that have no end, or are written from right to left.
        @Test(arguments: BrowserKind.allCases) func longNamesAndLargeLettersFit(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.resize(width: 320, height: 320)
            try scene.join()
            let other = try scene.stage.page(.chromium)
            defer { try? other.close() }
            try other.open(scene.link)
            try #require(try other.waits(for: "!document.getElementById(\"door\").hidden"))
            try other.fill("name", "محمد " + String(repeating: "wide", count: 40))
            try other.evaluate("document.querySelector(\"#join button\").click()")
            try #require(try scene.core.waitForPeople(2))
            try #require(try scene.page.waits(for: "document.querySelectorAll(\"#people li\").length === 2"))
            #expect(try scene.page.evaluate("document.documentElement.scrollWidth <= innerWidth") == .bool(true))
            let lefts =
                "[...document.querySelectorAll(\"#people .name\")].map((each) => each.getBoundingClientRect().left)"
            #expect(try scene.page.evaluate("new Set(\(lefts)).size === 1") == .bool(true), "names stand in a column")
        }

        /// Where no path works, both pages and consoles say what is missing.
        @Test(arguments: BrowserKind.allCases) func aPathThatFailsIsToldInWords(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.join()
            try scene.page.evaluate(
                """
                Object.defineProperty(probe.connection, "connectionState", { get: () => "failed" })
                  .dispatchEvent(new Event("connectionstatechange"))
                """)
            let state = "document.querySelector(\"#people .state\").textContent"
            #expect(try scene.page.waits(for: "\(state).includes(\"symmetric NATs\")"))
            #expect(try scene.page.waits(for: "\(state).includes(\"no TURN server\")"))
        }
    }
}
