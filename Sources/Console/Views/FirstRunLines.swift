import ControlProtocol
import Terminal

/// What is told at the very first: the next two keys, and what was found on this machine, as `hoot doctor` says it.
enum FirstRunLines {
    typealias Line = (text: String, scope: Scope)

    /// What is worth a line though nothing is wrong with it.
    private static let worthSaying: Set<String> = ["sound server", "sound cards", "camera", "linger"]
    private static let subject = 15
    /// The least rows that have more than the next keys, and more than the first row of a text: `hoot doctor` has all.
    private static let leastTitled = 6
    private static let leastWrapped = 18

    static func keys(_ model: ConsoleModel, _ room: Size) -> [Line] {
        let (host, join) = (model.keys.key(of: "host"), model.keys.key(of: "join"))
        let title: Line = ("Welcome: nothing is set up yet, and nothing has to be", .panelTitle)
        return (room.rows < leastTitled ? [] : [title]) + [
            ("  \(host)  opens a room here: its link lets others in, by a browser too", .text),
            ("  \(join)  joins a room by the link that you were given", .text),
        ]
    }

    /// What is wrong first.
    static func findings(_ model: ConsoleModel, _ room: Size, _ look: Look) -> [Line] {
        let wrong = model.findings.filter { !$0.isFine }
        let fine = model.findings.filter { $0.isFine && worthSaying.contains($0.subject) }
        return [("This machine, as hoot doctor sees it", .panelTitle)]
            + (wrong + fine).flatMap {
                lines(of: $0, width: room.columns, most: room.rows < leastWrapped ? 1 : 2, look)
            }
    }

    private static func lines(of finding: Finding, width: Int, most: Int, _ look: Look) -> [Line] {
        let mark = finding.isFine ? "  " : "! "
        let room = max(10, width - subject - 4)
        var rows = Page.wrapped(finding.text, width: room)
        if rows.count > most {
            let rest = rows.dropFirst(most - 1).joined(separator: " ")
            rows = rows.prefix(most - 1) + [DisplayWidth.clip(rest, room, ellipsis: look.glyphs.ellipsis)]
        }
        if let command = finding.command { rows.append(command) }
        return rows.enumerated().map { offset, row in
            let name = offset == 0 ? mark + finding.subject : ""
            let scope: Scope = finding.isFine || offset > 0 ? .text : .messageWarning
            return ("  " + DisplayWidth.fit(name, subject) + " " + row, scope)
        }
    }
}
