import ControlProtocol
import Primitives
import TestSupport
import Testing

extension BrowserTests {
    /// Lobby, roles, removal and expiry as the page shows them.
    @Suite struct InvitedGuestTests {
        @Test(arguments: BrowserKind.allCases) func whoKnocksWaitsAndIsLetIn(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind, hosting: ["lobby": .bool(true)])
            try scene.page.knock(at: scene.link)
            #expect(try scene.page.text("lobby-text").contains("asked to let you in"))
            let knocker = try scene.knocker()
            try scene.core.call("room.admit", ["participant": .string(knocker)])
            try #require(try scene.core.waitForPeople(1))
            #expect(try scene.ear("core").hears(only: ["guest"]))
        }

        @Test func whoIsTurnedAwayReadsWhy() throws {
            let scene = try GuestScene(.chromium, hosting: ["lobby": .bool(true)])
            try scene.page.knock(at: scene.link)
            let knocker = try scene.knocker()
            try scene.core.call("room.decline", ["participant": .string(knocker), "reason": .string("not today")])
            #expect(try scene.page.waits(for: "!document.getElementById(\"farewell\").hidden"))
            #expect(try scene.page.text("farewell-text").contains("not today"))
        }

        /// A host may sit at a browser.
        @Test func aHostInABrowserLetsInAndRemoves() throws {
            let scene = try GuestScene(.chromium, hosting: ["lobby": .bool(true)])
            let host = try scene.invite(["role": .string("host")])
            try scene.page.join(host, as: "guest")
            try #require(try scene.core.waitForPeople(1))
            let other = try scene.stage.page(.firefox)
            defer { try? other.close() }
            try other.knock(at: scene.link)
            try #require(try scene.page.waits(for: "document.querySelector(\"#knocks .admit\")"))
            try scene.page.evaluate("document.querySelector(\"#knocks .admit\").click()")
            try #require(try scene.core.waitForPeople(2))
            try #require(try scene.page.waits(for: "document.querySelectorAll(\"#people .kick\").length === 1"))
            try scene.page.evaluate("document.querySelector(\"#people .kick[aria-label$=other]\").click()")
            #expect(try other.waits(for: "!document.getElementById(\"farewell\").hidden"))
            #expect(try other.text("farewell-text").contains("removed"))
            #expect(try scene.core.wait { $0.people.map(\.name) == ["guest"] })
        }

        /// A listener hears and writes, and nothing of its microphone and its camera goes out.
        @Test(arguments: BrowserKind.allCases) func aListenerHearsAndIsNotHeard(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.open(try scene.invite(["role": .string("listener")]))
            try scene.page.click("start-picture")
            try #require(try scene.page.waits(for: "!document.getElementById(\"own-picture\").hidden"))
            try scene.page.enter(as: "guest")
            try #require(try scene.core.waitForPeople(1))
            let isOff = "document.getElementById(\"picture\").disabled && !document.querySelector(\".pictures\")"
            #expect(try scene.page.evaluate(isOff) == .bool(true))
            #expect(try scene.ear("guest").hears(only: ["core"]))
            #expect(try scene.ear("core").fallsSilent())
            #expect(try scene.page.text("microphone-state") == "Listening only")
            #expect(try scene.page.evaluate("probe.connection.getSenders().some((each) => each.track)") == .bool(false))
            try #require(try scene.core.wait { $0.people.first?.canChat == true })
            try scene.page.say("I can write")
            #expect(try scene.core.wait { $0.said == ["guest: I can write"] })
        }

        /// Asked for in time, more time comes without leaving, and a reload keeps it.
        @Test func timeThatRunsOutIsWarnedOfAndGivenAnew() throws {
            let scene = try GuestScene(.chromium)
            try scene.page.join(try scene.invite(["expires": .integer(32)]), as: "guest")
            try #require(try scene.core.waitForPeople(1))
            let before = try scene.page.evaluate("location.hash")
            try #require(
                try scene.page.waits(for: "!document.getElementById(\"renew\").hidden", within: .seconds(10)))
            try scene.page.click("renew")
            try scene.core.call("room.renew", ["participant": .string("guest"), "expires": .integer(3600)])
            #expect(try scene.page.waits(for: "document.getElementById(\"renew\").hidden"))
            #expect(try scene.page.evaluate("location.hash") != before)
            #expect(try scene.core.waitForPeople(1))
        }
    }
}

extension GuestScene {
    /// A link by a new invite.
    fileprivate func invite(_ grants: [String: JSONValue]) throws -> String {
        guard case .array(let links)? = try core.call("room.invite", grants)["links"],
            let link = links.first?.stringValue
        else { throw BrowserFailure(description: "no invite") }
        return link
    }

    /// Who knocks.
    fileprivate func knocker() throws -> String {
        let call = { (core: SoundingCore) in core.state.activeCall.flatMap { core.state.calls[$0] } }
        try #require(try core.wait { call($0)?.knocks?.isEmpty == false })
        return try #require(call(core)?.knocks?.first?.id)
    }
}

extension BrowserPage {
    /// Asks to be let in.
    fileprivate func knock(at link: String) throws {
        try open(link)
        try chooseDevices(of: "guest")
        try fill("name", "other")
        try evaluate("document.querySelector(\"#join button\").click()")
        try #require(try waits(for: "!document.getElementById(\"lobby\").hidden"))
    }
}
