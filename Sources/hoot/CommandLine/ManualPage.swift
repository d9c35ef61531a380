import Console
import ControlProtocol
import Core

/// The manual page hoot(1), from the tables that also parse the command line, bind the keys and check the settings.
enum ManualPage {
    static func text(commands: [Command], options: [Option]) -> String {
        var page = Roff()
        page.macro("TH", "HOOT", "1", "", "hoot \(CoreVersion.current)", "User Commands")
        writeOpening(&page)
        page.macro("SH", "OPTIONS")
        write(options, &page)
        page.macro("SH", "COMMANDS")
        for command in commands { write(command, &page) }
        page.macro("SH", "KEYS")
        page.line("`keys.conf` changes them: on each line what is in brackets here and its keys, as in mute = m F2.")
        for section in KeyBinding.Section.allCases { write(section, &page) }
        page.macro("SH", "TYPED COMMANDS")
        page.line("Behind `:` in the console, where the names of what keys do can be typed too, and in hoot --plain.")
        for verb in VerbDocument.rows { page.entry(verb.synopsis, verb.summary) }
        page.macro("SH", "SETTINGS")
        page.line("In `hoot.conf`: the group in brackets on a line of its own, then key = value.")
        for setting in SettingState.all {
            let fallback = SettingState.text(of: setting.fallback)
            let values = setting.values + (fallback.isEmpty ? "" : "; \(fallback) when left out")
            page.entry(setting.name, "\(setting.summary) (\(values))")
        }
        writeEnd(&page)
        return page.text
    }

    private static func writeOpening(_ page: inout Roff) {
        page.macro("SH", "NAME")
        page.line("hoot - a call console for the terminal")
        page.macro("SH", "SYNOPSIS")
        page.line("`hoot` [OPTION]… [ADDRESS]")
        page.macro("br")
        page.line("`hoot` COMMAND [ARGUMENT]…")
        page.macro("SH", "DESCRIPTION")
        page.line(
            "Without a command it opens the console, starting the core if none runs; the core holds the calls, so")
        page.line("that they outlive the terminal. With an ADDRESS, a link or a saved room, it also joins.")
    }

    private static func write(_ options: [Option], _ page: inout Roff) {
        for option in options {
            let long = "--\(option.long)" + (option.argument.map { "=\($0)" } ?? "")
            page.entry(option.short.map { "-\($0), \(long)" } ?? long, option.summary)
        }
    }

    private static func write(_ command: Command, _ page: inout Roff) {
        page.macro("SS", "hoot \(command.name)" + (command.operands.isEmpty ? "" : " " + command.operands))
        page.line(command.summary + ".")
        if !command.details.isEmpty { page.block(command.details.split(separator: "\n")) }
        write(command.options, &page)
    }

    private static func write(_ section: KeyBinding.Section, _ page: inout Roff) {
        page.macro("SS", section.rawValue)
        for binding in KeyMap.standard.bindings where binding.section == section {
            page.entry(binding.keysShown, "\(binding.summary) [\(binding.action)]")
        }
    }

    private static func writeEnd(_ page: inout Roff) {
        page.macro("SH", "EXIT STATUS")
        page.line("0 done, 1 failed, 2 not understood.")
        page.macro("SH", "ENVIRONMENT")
        page.entry("NO_COLOR", "when it is not empty, the console shows no colours")
        page.entry("PULSE_SERVER", "the sound server, which a console tells the core when it attaches")
        page.entry("DISPLAY", "the X display of what the core starts, which a console tells it when it attaches")
        page.entry("HOOT_RUNTIME_DIR, HOOT_CONFIG_DIR, HOOT_STATE_DIR", "in place of the directories below")
        page.macro("SH", "FILES")
        page.entry("/tmp/hoot-UID/core.sock", "the core's socket")
        page.entry("~/.config/hoot", "`hoot.conf`, `keys.conf`, `people.conf` and `themes/`")
        page.entry("~/.local/state/hoot", "the log, certificates and history")
    }
}
