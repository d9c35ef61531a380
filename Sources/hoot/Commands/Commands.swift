/// The table of commands, in the order of the help.
enum Commands {
    static let all: [Command] =
        [DemoCommand.command, HostCommand.command, JoinCommand.command, WaitCommand.command, StatusCommand.command]
        + SwitchCommands.all + [RecordCommand.command, ShowCommand.command, LeaveCommand.command] + AnswerCommands.all
        + [RingCommand.command, ChatCommand.command] + InviteCommands.all + HostingCommands.all
        + EvidenceCommands.all
        + [
            CoreCommand.command, CtlCommand.command,
            DevicesCommand.command, DoctorCommand.command, ThemeCommand.command, ManualCommand.command,
            CompletionCommand.command,
        ]

    static func named(_ name: String) -> Command? {
        all.first { $0.name == name }
    }

    /// The command whose name is `word` but for a slip: a letter, or two of a longer word.
    static func nearest(to word: String) -> String? {
        let limit = word.count < 4 ? 1 : 2
        let near = all.map(\.name).filter { abs($0.count - word.count) <= limit }.map { ($0, slips($0, word)) }
        return near.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
    }

    /// Letters that are missing, too many or wrong (Levenshtein's distance).
    private static func slips(_ one: String, _ other: String) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var next = [index + 1]
            for (column, candidate) in other.enumerated() {
                next.append(min(row[column] + (letter == candidate ? 0 : 1), row[column + 1] + 1, next[column] + 1))
            }
            row = next
        }
        return row[other.count]
    }
}
