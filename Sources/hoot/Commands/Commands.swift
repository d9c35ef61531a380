/// The table of commands, in the order of the help.
enum Commands {
    static let all: [Command] =
        [DemoCommand.command, HostCommand.command, JoinCommand.command, WaitCommand.command, StatusCommand.command]
        + SwitchCommands.all
        + [LeaveCommand.command, RingCommand.command, ChatCommand.command] + InviteCommands.all + HostingCommands.all
        + [
            CoreCommand.command, CtlCommand.command,
            DevicesCommand.command, DoctorCommand.command,
        ]

    static func named(_ name: String) -> Command? {
        all.first { $0.name == name }
    }
}
