import Terminal

/// The link that invites others: as text, as a QR code, and the addresses that it can go by.
enum InviteView {
    /// Columns that the text needs beside the code.
    private static let leastText = 26

    static func draw(_ model: ConsoleModel, _ page: InvitePage, on surface: inout Surface, _ look: Look) {
        surface.fill(row: 0, height: surface.size.rows, style: look[.text])
        surface.focus = Position(row: 0, column: 0)
        surface.title("Invite: the link is a secret", right: "esc back", row: 0, look)
        let body = Size(rows: surface.size.rows - 1, columns: surface.size.columns)
        guard let code = model.link(of: page).flatMap({ QRCode($0) }) else {
            return put(lines(model, page, width: body.columns - 2), on: &surface, look)
        }
        // Beside the text, below it, or not at all.
        let beside = Size(rows: body.rows, columns: body.columns - leastText - 3)
        if let quietZone = code.quietZone(within: beside, look.qrCode) {
            let drawn = code.surface(quietZone: quietZone, look.qrCode)
            let width = body.columns - drawn.size.columns - 3
            surface.place(drawn, row: 1, column: body.columns - drawn.size.columns)
            return put(lines(model, page, width: width), on: &surface, look)
        }
        var text = lines(model, page, width: body.columns - 2)
        let below = Size(rows: body.rows - text.count - 1, columns: body.columns)
        if let quietZone = code.quietZone(within: below, look.qrCode) {
            surface.place(code.surface(quietZone: quietZone, look.qrCode), row: text.count + 2, column: 1)
        } else {
            let needed = code.size(quietZone: QRCode.leastQuietZone, look.qrCode)
            let sentence = "For the QR code the screen is too small: it takes \(needed) beside or below this."
            text += [("", .text)] + Page.wrapped(sentence, width: body.columns - 2).map { ($0, .textFaint) }
        }
        put(text, on: &surface, look)
    }

    private static func put(_ lines: [Line], on surface: inout Surface, _ look: Look) {
        for (row, line) in zip(1..<max(1, surface.size.rows), lines) {
            surface.put(look.glyphs.text(line.text), row: row, column: 1, style: look[line.scope])
        }
    }

    private typealias Line = (text: String, scope: Scope)

    private static func lines(_ model: ConsoleModel, _ page: InvitePage, width: Int) -> [Line] {
        var lines: [Line] = []
        func say(_ text: String) {
            lines += (lines.isEmpty ? [] : [("", .text)]) + Page.wrapped(text, width: width).map { ($0, .textFaint) }
        }
        if let link = model.link(of: page) {
            lines = Page.broken(link, width: width).map { ($0, .textStrong) }
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
        return [("", .text), ("Reachable by (h, l)", .panelTitle)]
            + links.enumerated().map { index, link in
                row(address(link), isSelected: index == selection, width: width)
            }
    }

    private static func invites(_ model: ConsoleModel, _ page: InvitePage, width: Int) -> [Line] {
        guard !page.rows.isEmpty else { return [] }
        return [("", .text), ("Invites (j, k; n new, r withdraw)", .panelTitle)]
            + page.rows.enumerated().map { index, invite in
                row(words(invite, at: model.now.wallMs), isSelected: index == page.selection, width: width)
            }
    }

    private static func row(_ text: String, isSelected: Bool, width: Int) -> Line {
        (DisplayWidth.clip("\(isSelected ? ">" : " ") \(text)", width), isSelected ? .personSelected : .text)
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
        let rows: [Line] = form.rows.enumerated().map { index, entry in
            let text = "\(index == form.selection ? ">" : " ") " + DisplayWidth.fit(entry.name, 13) + entry.value
            return (text, index == form.selection ? .personSelected : .text)
        }
        let hint: [Line] = [("", .text), ("j, k choose a row; h, l change it", .textFaint)]
        return Page(
            title: "New invite: enter makes it", lines: rows + hint, selection: form.selection,
            items: Dictionary(uniqueKeysWithValues: rows.indices.map { ($0, $0) }))
    }
}
