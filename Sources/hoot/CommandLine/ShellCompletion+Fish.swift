/// Completion for fish(1).
extension ShellCompletion {
    static func fish(_ commands: [Command], _ options: [Option]) -> String {
        let bare = "-n __fish_use_subcommand"
        var lines = ["# Completion of hoot(1) for fish.", "complete -c hoot -f"]
        lines += options.map { "complete -c hoot \(bare) \(fishOption($0))" }
        for command in commands {
            let seen = "-n '__fish_seen_subcommand_from \(command.name)'"
            lines.append("complete -c hoot \(bare) -a \(command.name) -d \(command.summary.shellQuoted)")
            lines += command.allOptions.map { "complete -c hoot \(seen) \(fishOption($0))" }
            if !command.words.isEmpty {
                lines.append("complete -c hoot \(seen) -a \(command.words.joined(separator: " ").shellQuoted)")
            }
            if command.takesFile { lines.append("complete -c hoot \(seen) -F") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishOption(_ option: Option) -> String {
        let short = option.short.map { "-s \($0) " } ?? ""
        let takes = option.argument == nil ? "" : option.takesFile ? " -r -F" : " -x"
        return "\(short)-l \(option.long)\(takes) -d \(option.summary.shellQuoted)"
    }
}
