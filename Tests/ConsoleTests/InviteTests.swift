import ControlProtocol
import Terminal
import Testing

@testable import Console

/// The link on the screen, in the clipboard and on the exit line.
struct InviteTests {
    @Test func theLinkIsShownWholeWithItsCodeAndCopied() throws {
        var fixture = try Fixture.hosting()
        let link = try #require(fixture.model.links.first)
        try fixture.press("i")
        #expect(fixture.requests == ["copy: \(link)", "room.invites"])
        for (rows, columns) in [(24, 80), (20, 60), (43, 132), (43, 80)] {
            let surface = fixture.surface(rows: rows, columns: columns)
            let text = surface.lines.map { $0.prefix { !"█▀▄".contains($0) } }.joined().filter { $0 != " " }
            #expect(text.contains(link), "\(columns)×\(rows)")
            #expect(text.contains("Senttotheterminal'sclipboard"))
        }
    }

    @Test func theCodeIsOnTheScreenWhereItFitsAndASentenceWhereNot() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        let code = try #require(QRCode(fixture.model.links[0]))
        for (rows, columns) in [(24, 80), (43, 132), (60, 60), (20, 60), (6, 20), (23, 80)] {
            let surface = fixture.surface(rows: rows, columns: columns)
            #expect(contains(code, surface) == (rows >= 24), "\(columns)×\(rows)")
        }
        #expect(
            fixture.screen(rows: 20, columns: 60).joined(separator: " ").contains("the screen is too small: it takes"))
    }

    @Test func anotherAddressIsAnotherLink() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        let screen = fixture.screen().joined()
        #expect(screen.contains("> pi-meet.example:7443") && screen.contains("  192.168.1.23:7443"))
        try fixture.press("l")
        let second = fixture.model.links[1]
        #expect(fixture.requests.last == "room.invites")
        #expect(contains(try #require(QRCode(second)), fixture.surface(rows: 43, columns: 132)))
        #expect(!fixture.screen(columns: 132).joined().contains("Sent to the terminal"))
        try fixture.press("c")
        #expect(fixture.requests.last == "copy: \(second)")
        #expect(fixture.screen(columns: 132).joined().contains("Sent to the terminal"))
        try fixture.press("llhc")
        #expect(fixture.requests.last == "copy: \(fixture.model.links[0])")
        try fixture.press("<esc>")
        #expect(fixture.model.overlay == nil)
    }

    @Test func aGuestHasNoLinkToShow() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("i")
        #expect(fixture.requests.isEmpty && fixture.model.overlay == nil)
        #expect(fixture.screen().contains { $0.contains("i invite: the room's host has the link") })
    }

    @Test func theExitLineHasTheLinkWhileTheRoomIsOpen() throws {
        for (keys, answers, isOpen) in [("qd", 1, true), ("ql", 2, true), ("qc", 2, false)] {
            var fixture = try Fixture.hosting()
            let link = try #require(fixture.model.links.first)
            try fixture.press(keys)
            for method in ["call.leave", "room.close", "core.detach"].filter({ name in
                answers == 1 ? name == "core.detach" : name != (isOpen ? "room.close" : "call.leave")
            }) { try fixture.answer(method) }
            #expect(fixture.requests.last?.hasPrefix("exit: ") == true)
            #expect(fixture.requests.last?.hasSuffix(link) == isOpen)
        }
    }

    @Test func aScreenThatShowsALinkNoMoreForgetsIt() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        try fixture.change { $0.calls["c1"]?.links = nil }
        #expect(!fixture.screen().joined().contains("https://"))
        try fixture.press("j")
        #expect(fixture.requests.filter { $0.hasPrefix("copy") }.count == 1)
    }

    @Test func theInvitesOfTheRoomAreListed() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        try fixture.answer("room.invites", Fixture.invites)
        let screen = fixture.screen(rows: 43, columns: 132)
        for words in [
            "> 1 the room's link", "  2 guest, one person, 59 min", "  3 listener, 6 d", "  4 guest, used by eva",
        ] {
            #expect(screen.contains { $0.contains(words) }, "\(words)")
        }
        try fixture.press("j")
        let other = fixture.screen(rows: 43, columns: 132).joined(separator: "\n")
        #expect(
            other.contains("> 2 guest") && !other.contains("https://") && other.contains("was shown where it was made"))
        try fixture.press("c")
        #expect(fixture.requests.filter { $0.hasPrefix("copy") }.count == 1)
    }

    @Test func whatIsAboutToBeVoidTellsItsSeconds() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        try fixture.answer("room.invites", Fixture.invites)
        fixture.wait(.seconds(59 * 60))
        #expect(fixture.screen(rows: 43, columns: 132).contains { $0.contains("  2 guest, one person, 59 s") })
    }

    @Test func anInviteIsMadeShownAndCopied() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("in")
        try fixture.press("ljljll<enter>")
        #expect(fixture.requests.last == #"room.invite expires=86400 role="listener" uses=1"#)
        let link = "https://pi:7443/r/standup#SIGNED.PIN"
        try fixture.answer(
            "room.invite",
            .object([
                "invite": .integer(5), "role": .string("listener"), "uses": .integer(1), "isRoomLink": .bool(false),
                "links": .array([.string(link)]),
            ]))
        #expect(fixture.requests.last == "room.invites")
        guard case .array(let invites) = Fixture.invites["invites"] else { return }
        let made: JSONValue = .object([
            "invite": .integer(5), "role": .string("listener"), "uses": .integer(1), "isRoomLink": .bool(false),
        ])
        try fixture.answer("room.invites")
        try fixture.answer("room.invites", .object(["invites": .array(invites + [made])]))
        #expect(fixture.requests.last == "copy: \(link)")
        let screen = fixture.screen(rows: 43, columns: 132)
        #expect(screen.contains { $0.contains(link) } && screen.contains { $0.contains("> 5 listener, one person") })
        #expect(contains(try #require(QRCode(link)), fixture.surface(rows: 43, columns: 132)))
    }

    @Test func aRefusedInviteSaysWhy() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("in<enter>")
        try fixture.refuse("room.invite", "the room has 256 invites already")
        try fixture.press("<esc>")
        #expect(fixture.screen().contains { $0.contains("no invite is made: the room has 256 invites already") })
    }

    @Test(arguments: [
        ("y", "room.revoke invite=2"), ("r", "room.revoke invite=2 remove=true"), ("<esc>", nil), ("q", nil),
    ])
    func withdrawingAsksOnce(key: String, request: String?) throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        try fixture.answer("room.invites", Fixture.invites)
        try fixture.press("jr")
        #expect(fixture.screen().last?.contains("withdraw invite 2?") == true)
        #expect(!fixture.requests.contains { $0.hasPrefix("room.revoke") })
        try fixture.press(key)
        #expect(fixture.requests.last { $0.hasPrefix("room.revoke") } == request)
        #expect(fixture.screen()[0].contains("Invite"))
    }

    /// Whether the code's half blocks stand on the surface, dark on light.
    private func contains(_ code: QRCode, _ surface: Surface) -> Bool {
        let look = QRCodeLook(hasBlocks: true, depth: .palette256, background: .dark)
        return (QRCode.leastQuietZone...QRCode.quietZone).contains { quietZone in
            let drawn = code.surface(quietZone: quietZone, look)
            let (height, width) = (surface.size.rows - drawn.size.rows, surface.size.columns - drawn.size.columns)
            guard height >= 0, width >= 0 else { return false }
            return (0...height).contains { row in
                (0...width).contains { column in
                    (0..<drawn.size.rows).allSatisfy { down in
                        (0..<drawn.size.columns).allSatisfy { drawn[down, $0] == surface[row + down, column + $0] }
                    }
                }
            }
        }
    }
}
