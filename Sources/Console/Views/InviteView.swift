import Terminal

/// The link that invites others: as text, as a QR code, and the addresses that it can go by.
enum InviteView {
    /// Columns that the text needs beside the code.
    private static let leastText = 26

    static func draw(_ model: ConsoleModel, _ page: InvitePage, on surface: inout Surface, _ look: Look) {
        surface.fill(row: 0, height: surface.size.rows, style: look[.text])
        surface.focus = Position(row: 0, column: 0)
        surface.title("Invite: the link is a secret", right: "esc back", row: 0, look)
        let content = content(model, page, surface.size, look)
        if let code = content.code { surface.place(code.drawn, row: code.row, column: code.column) }
        for (row, line) in zip(1..<max(1, surface.size.rows), content.lines) {
            surface.put(look.glyphs.text(line.text), row: row, column: 1, style: look[line.scope])
        }
    }

    /// The address or the invite that stands there; `nil`: nothing to select.
    static func target(
        at position: Position, _ model: ConsoleModel, _ page: InvitePage, _ size: Size, _ look: Look
    ) -> ClickTarget? {
        let content = content(model, page, size, look)
        guard content.lines.indices.contains(position.row - 1), position.column <= content.width else { return nil }
        return content.lines[position.row - 1].target
    }

    private typealias Line = (text: String, scope: Scope, target: ClickTarget?)

    /// The lines, so many columns wide, and the code.
    private typealias Content = (lines: [Line], width: Int, code: (drawn: Surface, row: Int, column: Int)?)

    private static func content(_ model: ConsoleModel, _ page: InvitePage, _ size: Size, _ look: Look) -> Content {
        let body = Size(rows: size.rows - 1, columns: size.columns)
        let width = body.columns - 2
        var text = lines(model, page, width: width)
        guard let code = model.link(of: page).flatMap({ QRCode($0) }) else { return (text, width, nil) }
        // Beside the text, below it, or not at all.
        let beside = Size(rows: body.rows, columns: body.columns - leastText - 3)
        if let quietZone = code.quietZone(within: beside, look.qrCode) {
            let drawn = code.surface(quietZone: quietZone, look.qrCode)
            let width = body.columns - drawn.size.columns - 3
            return (lines(model, page, width: width), width, (drawn, 1, body.columns - drawn.size.columns))
        }
        let below = Size(rows: body.rows - text.count - 1, columns: body.columns)
        if let quietZone = code.quietZone(within: below, look.qrCode) {
            return (text, width, (code.surface(quietZone: quietZone, look.qrCode), text.count + 2, 1))
        }
        let needed = code.size(quietZone: QRCode.leastQuietZone, look.qrCode)
        let sentence = "For the QR code the screen is too small: it takes \(needed) beside or below this."
        text += [("", .text, nil)] + Page.wrapped(sentence, width: width).map { ($0, .textFaint, nil) }
        return (text, width, nil)
    }

    private static func lines(_ model: ConsoleModel, _ page: InvitePage, width: Int) -> [Line] {
        var lines: [Line] = []
        func say(_ text: String) {
            lines += lines.isEmpty ? [] : [("", .text, nil)]
            lines += Page.wrapped(text, width: width).map { ($0, .textFaint, nil) }
        }
        if let link = model.link(of: page) {
            lines = Page.broken(link, width: width).map { ($0, .textStrong, nil) }
            say("Whoever has it comes in: by a browser, or by hoot join -")
            say(
                link == page.copied
                    ? "Sent to the terminal's clipboard; tmux takes it with set-clipboard on. c sends it again."
                    : "c sends it to the terminal's clipboard")
        } else {
            say("The link of this invite was shown where it was made; nobody knows it now but who got it.")
        }
        return lines + addresses(model.links(of: page), page.address, width: width) + invites(model, page, width: width)
    }

    private static func addresses(_ links: [String], _ selection: Int, width: Int) -> [Line] {
        guard links.count > 1 else { return [] }
        return [("", .text, nil), ("Reachable by (h, l)", .panelTitle, nil)]
            + links.enumerated().map { index, link in
                row(address(link), .address(index), isSelected: index == selection, width: width)
            }
    }

    private static func invites(_ model: ConsoleModel, _ page: InvitePage, width: Int) -> [Line] {
        guard !page.rows.isEmpty else { return [] }
        return [("", .text, nil), ("Invites (j, k; n new, r withdraw)", .panelTitle, nil)]
            + page.rows.enumerated().map { index, invite in
                row(
                    words(invite, at: model.now.wallMs), .item(index), isSelected: index == page.selection,
                    width: width)
            }
    }

    private static func row(_ text: String, _ target: ClickTarget, isSelected: Bool, width: Int) -> Line {
        (DisplayWidth.clip("\(isSelected ? ">" : " ") \(text)", width), isSelected ? .personSelected : .text, target)
    }

    /// `2 listener, one person, 59 min`.
    private static func words(_ invite: InvitePage.Row, at wallMs: Int) -> String {
        var parts = ["\(invite.number) " + (invite.isRoomLink ? "the room's link" : invite.role)]
        if let name = invite.usedBy {
            parts.append("used by \(name)")
        } else if invite.isSingleUse {
            parts.append("one person")
        }
        if let expiry = invite.expiresAt {
            let seconds = max(0, expiry - wallMs) / 1000
            let minutes = seconds / 60
            parts.append(
                seconds < 120
                    ? "\(seconds) s"
                    : minutes < 120 ? "\(minutes) min" : minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) d")
        }
        return parts.joined(separator: ", ")
    }

    /// The part of a link that says where it goes.
    private static func address(_ link: String) -> String {
        let rest = link.split(separator: "/", omittingEmptySubsequences: true)
        return rest.count > 1 ? String(rest[1]) : link
    }

    /// The invite that is being made.
    static func page(_ form: InviteForm) -> Page {
        let rows: [(String, Scope)] = form.rows.enumerated().map { index, entry in
            let text = "\(index == form.selection ? ">" : " ") " + DisplayWidth.fit(entry.name, 13) + entry.value
            return (text, index == form.selection ? .personSelected : .text)
        }
        let hint: [(String, Scope)] = [("", .text), ("j, k choose a row; h, l change it", .textFaint)]
        return Page(
            title: "New invite: enter makes it", lines: rows + hint, selection: form.selection,
            items: Dictionary(uniqueKeysWithValues: rows.indices.map { ($0, $0) }))
    }
}
