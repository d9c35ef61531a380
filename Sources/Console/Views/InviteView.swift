import Terminal

/// The link that invites others: as text, as a QR code, and the addresses that it can go by.
enum InviteView {
    /// Columns that the text needs beside the code.
    private static let leastText = 26

    static func draw(_ model: ConsoleModel, _ selection: Int, on surface: inout Surface, _ look: Look) {
        surface.fill(row: 0, height: surface.size.rows, style: look[.text])
        surface.title("Invite: the link is a secret", right: "esc back", row: 0, look)
        let links = model.links
        guard links.indices.contains(selection) else { return }
        let body = Size(rows: surface.size.rows - 1, columns: surface.size.columns)
        guard let code = QRCode(links[selection]) else {
            return put(lines(links, selection, width: body.columns - 2), on: &surface, row: 1, look)
        }
        // Beside the text, below it, or not at all.
        let beside = Size(rows: body.rows, columns: body.columns - leastText - 3)
        if let quietZone = code.quietZone(within: beside, look.qrCode) {
            let drawn = code.surface(quietZone: quietZone, look.qrCode)
            let width = body.columns - drawn.size.columns - 3
            surface.place(drawn, row: 1, column: body.columns - drawn.size.columns)
            return put(lines(links, selection, width: width), on: &surface, row: 1, look)
        }
        var text = lines(links, selection, width: body.columns - 2)
        let below = Size(rows: body.rows - text.count - 1, columns: body.columns)
        if let quietZone = code.quietZone(within: below, look.qrCode) {
            surface.place(code.surface(quietZone: quietZone, look.qrCode), row: text.count + 2, column: 1)
        } else {
            let needed = code.size(quietZone: QRCode.leastQuietZone, look.qrCode)
            let sentence = "For the QR code the screen is too small: it takes \(needed) beside or below this."
            text += [("", .text)] + Page.wrapped(sentence, width: body.columns - 2).map { ($0, .textFaint) }
        }
        put(text, on: &surface, row: 1, look)
    }

    private static func put(_ lines: [(String, Scope)], on surface: inout Surface, row: Int, _ look: Look) {
        for (row, line) in zip(row..<surface.size.rows, lines) {
            surface.put(look.glyphs.text(line.0), row: row, column: 1, style: look[line.1])
        }
    }

    private static func lines(_ links: [String], _ selection: Int, width: Int) -> [(String, Scope)] {
        var lines: [(String, Scope)] = Page.broken(links[selection], width: width).map { ($0, .textStrong) }
        func say(_ text: String) {
            lines += [("", .text)] + Page.wrapped(text, width: width).map { ($0, Scope.textFaint) }
        }
        say("Whoever has it comes in: by a browser, or by hoot join -")
        say("Sent to the terminal's clipboard; tmux takes it with set-clipboard on. c sends it again.")
        guard links.count > 1 else { return lines }
        lines += [("", .text), ("Reachable by (j, k)", .panelTitle)]
        for (index, link) in links.enumerated() {
            let mark = index == selection ? ">" : " "
            let text = DisplayWidth.clip("\(mark) \(address(link))", width)
            lines.append((text, index == selection ? .personSelected : .text))
        }
        return lines
    }

    /// The part of a link that says where it goes.
    private static func address(_ link: String) -> String {
        let rest = link.split(separator: "/", omittingEmptySubsequences: true)
        return rest.count > 1 ? String(rest[1]) : link
    }
}
