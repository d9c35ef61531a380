import ControlProtocol

/// Completion of hoot's words in a shell, from the tables that also parse them.
enum ShellCompletion: String {
    case bash
    case zsh
    case fish

    func script(commands: [Command], options: [Option]) -> String {
        switch self {
        case .bash: Self.bash(commands, options)
        case .zsh: Self.zsh(commands, options)
        case .fish: Self.fish(commands, options)
        }
    }
}

extension Command {
    var allOptions: [Option] { options + [Help.option] }

    /// The words that an operand can be: what is written small in the usage line; the methods.
    var words: [String] {
        let small = operands.split { !($0.isLetter || $0 == "-") }.filter { word in
            word.count > 1 && word.allSatisfy { $0.isLowercase || $0 == "-" }
        }
        return small.map { String($0) } + (operands.contains("METHOD") ? Method.all.map(\.name) : [])
    }

    var takesFile: Bool { operands.contains("FILE") }
}

extension Option {
    var takesFile: Bool { argument == "FILE" }
}

extension String {
    /// As one word of a shell, whatever is in it.
    var shellQuoted: String {
        "'" + replacing("'", with: "'\\''") + "'"
    }
}
