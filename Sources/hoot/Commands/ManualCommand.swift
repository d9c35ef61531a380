import ControlProtocol

/// `hoot manual`.
enum ManualCommand {
    static let command = Command(
        name: "manual", operands: "", summary: "print the manual page, for man(1)",
        run: { _ in
            Output.write(ManualPage.text(commands: Commands.all, options: Main.options), to: 1)
            return 0
        })
}

/// `hoot completion`.
enum CompletionCommand {
    static let command = Command(
        name: "completion", operands: "bash|zsh|fish", summary: "print what completes hoot's words in a shell",
        operandCount: 1...1,
        run: { invocation in
            guard let shell = ShellCompletion(rawValue: invocation.operands[0]) else {
                throw UsageError("bash, zsh or fish, not \(invocation.operands[0].quoted)")
            }
            Output.write(shell.script(commands: Commands.all, options: Main.options), to: 1)
            return 0
        })
}
