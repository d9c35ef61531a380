import ControlProtocol
import Foundation
import TestSupport
import Testing

/// What is installed beside the program is what the tools that read it take.
@Suite(.serialized) struct InstalledFilesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory("hoot-installed")
        for (words, name) in [
            ("manual", "hoot.1"), ("completion bash", "hoot.bash"), ("completion zsh", "hoot.zsh"),
            ("completion fish", "hoot.fish"),
        ] {
            let result = try run("\(ConsoleProcess.program) \(words)")
            try #require(result.status == 0)
            try result.text.write(toFile: "\(directory.path)/\(name)", atomically: true, encoding: .utf8)
        }
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let unit = try String(contentsOfFile: "\(root)/Sources/hoot/hoot.service.in", encoding: .utf8)
        let program = directory.path + "/bin/hoot"
        try FileManager.default.createDirectory(atPath: directory.path + "/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: ConsoleProcess.program)
        try unit.replacing("@PREFIX@", with: directory.path)
            .write(toFile: directory.path + "/hoot.service", atomically: true, encoding: .utf8)
    }

    /// What a shell's line prints on both outputs, in the directory of the documents.
    private func run(_ line: String, shell: String = "sh") throws -> (status: Int32, text: String) {
        let path = directory.path + "/output"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        var environment = ConsoleProcess.environment(in: directory)
        environment["MANWIDTH"] = "80"
        let child = try ChildProcess(
            [shell, "-c", "cd \(directory.path) && \(line)"], environment: environment, output: descriptor,
            log: descriptor)
        let status = child.wait()
        return (status, try String(contentsOfFile: path, encoding: .utf8))
    }

    @Test func theManualPageIsCleanAndTellsOfEverything() throws {
        let warnings = try run("man --warnings -E UTF-8 -l -Tutf8 -Z hoot.1 >/dev/null")
        #expect(warnings.text.isEmpty)
        let page = try run("man -P cat -l hoot.1 | col -bx").text
        for words in [
            "hoot - a call console for the terminal", "hoot join WHAT", "--muted", "mute or unmute the microphone",
            "console.theme", "silence NAME", "EXIT STATUS", "pattern [NUMBER]",
        ] {
            #expect(page.contains(words), "the manual page does not say \(words)")
        }
    }

    @Test(arguments: [
        ("hoot mu", ["mute"]), ("hoot --pl", ["--plain"]), ("hoot mute o", ["on", "off"]),
        ("hoot demo --g", ["--guests="]), ("hoot theme ch", ["check"]), ("hoot ctl audio.ga", ["audio.gain"]),
        ("hoot ctl audio.gain pe", ["percent="]), ("hoot theme check ho", ["hoot.1", "hoot.bash", "hoot.fish"]),
        ("hoot host --cert = hoot.s", ["hoot.service"]), ("hoot route ", ["speaker", "receiver", "toggle", "--help"]),
    ])
    func bashCompletes(line: String, words: [String]) throws {
        let typed = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
        let script = """
            compopt() { :; }
            . ./hoot.bash
            COMP_WORDS=(\(typed.joined(separator: " "))) COMP_CWORD=\(typed.count - 1)
            _hoot
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try run(script, shell: "bash")
        let completed = result.text.split(separator: "\n").map(String.init)
        #expect(result.status == 0)
        #expect(Set(words).isSubset(of: completed), "\(completed)")
        let last = String(line.split(separator: " ", omittingEmptySubsequences: false).last ?? "")
        #expect(completed.allSatisfy { $0.hasPrefix(last) })
    }

    @Test(arguments: [
        ("hoot mu", ["mute"]), ("hoot mute o", ["on", "off"]), ("hoot demo --g", ["--guests"]),
        ("hoot ctl audio.ga", ["audio.gain"]), ("hoot theme ", ["check", "list"]),
    ])
    func fishCompletes(line: String, words: [String]) throws {
        let result = try run("fish -N -c '. ./hoot.fish; complete -C \"\(line)\"'")
        let completed = result.text.split(separator: "\n").compactMap {
            $0.split(separator: "\t").first.map(String.init)
        }
        #expect(Set(words).isSubset(of: completed), "\(result.text)")
    }

    @Test func theShellsTakeTheirFiles() throws {
        for line in ["bash -n hoot.bash", "zsh -n hoot.zsh", "fish -N -n hoot.fish"] {
            let result = try run(line)
            #expect(result.status == 0 && result.text.isEmpty, "\(line): \(result.text)")
        }
    }

    /// zsh completes only at a terminal: a shell in a pseudo terminal of its own lists what it would offer.
    @Test func zshCompletes() throws {
        let script = """
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; bindkey "^I" complete-word'
            zpty -w shell 'source ./hoot.zsh 2>/dev/null; compdef _hoot hoot; PS1=; unsetopt zle_bracketed_paste'
            zpty -w shell 'print ready'
            zpty -r shell line '*ready*ready*'
            zpty -n -w shell $'hoot ctl audio.ga\\t'
            zpty -r shell line '*audio.gain*' && print completed
            zpty -d shell
            """
        try script.write(toFile: directory.path + "/complete.zsh", atomically: true, encoding: .utf8)
        let result = try run("zsh -f complete.zsh")
        #expect(result.text.hasSuffix("completed\n"), "\(result.text)")
    }

    @Test func systemdTakesTheUnit() throws {
        let result = try run("systemd-analyze verify --user --man=no ./hoot.service")
        #expect(!result.text.contains("hoot.service:"), "\(result.text)")
    }
}
