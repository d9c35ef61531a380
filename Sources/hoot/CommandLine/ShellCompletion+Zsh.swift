/// Completion for zsh(1).
extension ShellCompletion {
    static func zsh(_ commands: [Command], _ options: [Option]) -> String {
        """
        #compdef hoot
        # Completion of hoot(1) for zsh.
        _hoot() {
            local context state state_descr line
            typeset -A opt_args
            _arguments -C \\
        \(options.map { "        \(zshOption($0)) \\" }.joined(separator: "\n"))
                '1:command:->command' '*::argument:->argument'
            case $state in
                command)
                    local -a commands=(
        \(commands.map { "                " + "\($0.name):\($0.summary)".shellQuoted }.joined(separator: "\n"))
                    )
                    _describe -t commands command commands
                    ;;
                argument)
                    case $words[1] in
        \(commands.map(zshLine).joined(separator: "\n"))
                    esac
                    ;;
            esac
        }
        _hoot "$@"

        """
    }

    private static func zshLine(_ command: Command) -> String {
        var specifications = command.allOptions.map(zshOption)
        if !command.words.isEmpty { specifications.append("'1: :(\(command.words.joined(separator: " ")))'") }
        if command.takesFile { specifications.append("'*:file:_files'") }
        return "                \(command.name)) _arguments \(specifications.joined(separator: " ")) ;;"
    }

    private static func zshOption(_ option: Option) -> String {
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]")
        guard let argument = option.argument else { return "--\(option.long)[\(summary)]".shellQuoted }
        let name = argument.replacing(":", with: "\\:")
        return "--\(option.long)=[\(summary)]:\(name):\(option.takesFile ? "_files" : "")".shellQuoted
    }
}
