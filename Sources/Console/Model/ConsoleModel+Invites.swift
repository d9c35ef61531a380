import ControlProtocol
import Terminal

/// Links and invites: shown, copied, made and withdrawn.
extension ConsoleModel {
    /// The links to share, best first; only who serves the room has some.
    var links: [String] { call?.links ?? [] }

    /// The links of an invite on the page: the room's own, or one that was made by this console.
    func links(of page: InvitePage) -> [String] {
        guard let row = page.selected, !row.isRoomLink else { return links }
        return madeLinks[row.number] ?? []
    }

    /// The link that is shown; `nil`: this console does not know it.
    func link(of page: InvitePage) -> String? {
        let links = links(of: page)
        return links.indices.contains(page.address) ? links[page.address] : links.first
    }

    /// Shows the room's link and gives it to the terminal's clipboard.
    mutating func openInvites() {
        copyLink(of: InvitePage())
        loadInvites()
    }

    private mutating func loadInvites() {
        if call?.isServedHere == true { ask("room.invites", [:], .invites) }
    }

    private mutating func copyLink(of page: InvitePage) {
        var page = page
        page.copied = link(of: page)
        if let link = page.copied { effects.append(.copy(link)) }
        overlay = .invite(page)
    }

    mutating func press(_ key: Key, in page: InvitePage) {
        var page = page
        let addresses = links(of: page).count
        if let motion = key.motion(page: size.rows / 2) {
            (page.selection, page.address) = (max(0, min(page.rows.count - 1, page.selection + motion)), 0)
            return overlay = .invite(page)
        }
        switch key.code {
        case .left, .character("h"): page.address = max(0, page.address - 1)
        case .right, .character("l"): page.address = max(0, min(addresses - 1, page.address + 1))
        case .character("c"), .enter: return copyLink(of: page)
        case .character("n") where call?.isServedHere == true: return overlay = .inviteForm(InviteForm())
        case .character("r"):
            guard let row = page.selected else { break }
            return overlay = .question(.revoke(number: row.number))
        default: return overlay = nil
        }
        overlay = .invite(page)
    }

    mutating func press(_ key: Key, in form: InviteForm) {
        var form = form
        if let motion = key.motion(page: form.rows.count) {
            form.selection = max(0, min(form.rows.count - 1, form.selection + motion))
            return overlay = .inviteForm(form)
        }
        switch key.code {
        case .left, .character("h"): form.change(-1)
        case .right, .character("l"), .character(" "): form.change(1)
        case .enter:
            overlay = .invite(InvitePage())
            return ask("room.invite", form.params, .invite)
        case .escape, .character("q"), .character("c"):
            overlay = nil
            return openInvites()
        default: break
        }
        overlay = .inviteForm(form)
    }

    /// An invite was made: it is shown, and its link is copied.
    mutating func invited(_ answer: JSONValue) {
        guard let row = InvitePage.Row(answer), case .array(let links) = answer["links"] else { return }
        madeLinks[row.number] = links.compactMap(\.stringValue)
        say("invite \(row.number) is made")
        invitedNumber = row.number
        loadInvites()
    }

    mutating func loadedInvites(_ answer: JSONValue) {
        guard case .invite(var page) = overlay else { return }
        page.load(answer)
        guard let number = invitedNumber, page.select(number) else { return overlay = .invite(page) }
        invitedNumber = nil
        copyLink(of: page)
    }

    mutating func revoke(_ number: Int, removing: Bool) {
        overlay = .invite(InvitePage())
        var params: [String: JSONValue] = ["invite": .integer(number)]
        if removing { params["remove"] = .bool(true) }
        ask("room.revoke", params, .revoke)
    }

    /// An invite was withdrawn; the room's own link may be another one now.
    mutating func revoked(_ answer: JSONValue) {
        if case .integer(let number) = answer["invite"] {
            madeLinks[number] = nil
            say("invite \(number) is withdrawn")
        }
        loadInvites()
    }
}
