import ControlProtocol

/// Completion for bash(1).
extension ShellCompletion {
    static func bash(_ commands: [Command], _ options: [Option]) -> String {
        let names = words(options) + commands.map(\.name)
        let methods = Method.all.filter { !$0.parameters.isEmpty }.map { method in
            "        \(method.name)) echo \(method.parameters.map { $0.name + "=" }.joined(separator: " ")) ;;"
        }
        return """
            # Completion of hoot(1) for bash.
            _hoot_words() {
                case $1 in
                    '') echo \(names.joined(separator: " ").shellQuoted) ;;
            \(commands.map(bashLine).joined(separator: "\n"))
                esac
            }

            _hoot_parameters() {
                case $1 in
            \(methods.joined(separator: "\n"))
                esac
            }

            _hoot() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= first=0 words i
                # Bash makes a word of each "=".
                [[ $word == = ]] && word=
                [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
                for ((i = 1; i < COMP_CWORD; i++)); do
                    if [[ ${COMP_WORDS[i]} != -* ]]; then
                        command=${COMP_WORDS[i]} first=$i
                        break
                    fi
                done
                words=$(_hoot_words "$command")
                if [[ $command == ctl ]] && ((COMP_CWORD > first + 1)); then
                    words=$(_hoot_parameters "${COMP_WORDS[first + 1]}")
                fi
                if [[ $command$before =~ \(files(commands)) ]]; then
                    compopt -o filenames
                    mapfile -t COMPREPLY < <(compgen -f -- "$word")
                    return
                fi
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
                [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
            }
            complete -F _hoot hoot

            """
    }

    private static func bashLine(_ command: Command) -> String {
        let all = words(command.allOptions) + command.words
        return "        \(command.name)) echo \(all.joined(separator: " ").shellQuoted) ;;"
    }

    private static func words(_ options: [Option]) -> [String] {
        options.map { "--\($0.long)" + ($0.argument == nil ? "" : "=") }
    }

    /// The commands and the words before, together, behind which a file stands.
    private static func files(_ commands: [Command]) -> String {
        let ends = commands.flatMap { command -> [String] in
            let last = command.takesFile ? command.words.suffix(1).map { command.name + $0 } : []
            return last + command.options.filter(\.takesFile).map { "\(command.name)--\($0.long)" }
        }
        return "^(" + ends.joined(separator: "|") + ")$"
    }
}
