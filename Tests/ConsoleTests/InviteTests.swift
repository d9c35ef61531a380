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
        #expect(fixture.requests == ["copy: \(link)"])
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
        try fixture.press("j")
        let second = fixture.model.links[1]
        #expect(fixture.requests.last == "copy: \(second)")
        #expect(contains(try #require(QRCode(second)), fixture.surface(rows: 43, columns: 132)))
        try fixture.press("jjk")
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
        #expect(fixture.requests.count == 1)
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
