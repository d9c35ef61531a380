import ControlClient
package import ControlProtocol
import Foundation
import Glibc
package import Primitives

/// Looks at the machine for what a call needs, and names the one command that mends each missing thing.
package struct Doctor {
    let directories: Directories
    private let environment: [String: String]
    let root: String
    /// Whether this user may open a device file.
    var mayOpen: (String) -> Bool = { access($0, R_OK | W_OK) == 0 }

    /// - Parameter root: where the system's own files are looked for; empty for the running system.
    package init(
        directories: Directories, environment: [String: String] = ProcessInfo.processInfo.environment, root: String = ""
    ) {
        self.directories = directories
        self.environment = environment
        self.root = root
    }

    /// Whether the user has neither settings nor rooms to go back to.
    package var isFirstRun: Bool {
        access(directories.settingsPath, F_OK) != 0 && access(directories.historyPath, F_OK) != 0
    }

    /// Everything, in the order in which a user would mend it. `problems` are those that a running core knows; `nil`: no
    /// core runs.
    package func examine(problems: [Problem]?) -> [Finding] {
        let found =
            [
                runtimeDirectory(), stateDirectory(), core(isRunning: problems != nil), soundServer(), soundCards(),
                linger(),
                killUserProcesses(), cameras(), certificates(), terminal(),
            ].compactMap { $0 } + configuration()
        let lacksServer = found.contains { $0.subject == "sound server" && !$0.isFine }
        let told = Set(found.map(\.text))
        let others = (problems ?? []).filter { !(lacksServer && $0.code == "audio.server") && !told.contains($0.text) }
        return found + others.map { Finding(subject: $0.code, isFine: false, text: $0.text, command: $0.command) }
    }

    private func core(isRunning: Bool) -> Finding {
        let owner = CoreLock.owner(lockPath: directories.lockPath)
        switch (owner, isRunning) {
        case (let owner?, true): return Finding(subject: "core", isFine: true, text: "running, pid \(owner.pid)")
        case (let owner?, false):
            return Finding(
                wrong: "core", "pid \(owner.pid) runs, but does not answer; see \(directories.logPath)",
                command: "kill \(owner.pid)")
        case (nil, _): return Finding(subject: "core", isFine: true, text: "not running; hoot starts it")
        }
    }

    private func runtimeDirectory() -> Finding? {
        do throws(UserFacingError) {
            try directories.prepareRuntime()
            return Finding(subject: "runtime directory", isFine: true, text: directories.runtime)
        } catch {
            return Finding(subject: "runtime directory", isFine: false, text: error.description)
        }
    }

    private func stateDirectory() -> Finding? {
        do throws(UserFacingError) {
            try directories.prepareState()
            return Finding(subject: "state directory", isFine: true, text: directories.state)
        } catch {
            return Finding(subject: "state directory", isFine: false, text: error.description)
        }
    }

    private func soundServer() -> Finding {
        let named = environment["PULSE_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
        let socket = (environment["XDG_RUNTIME_DIR"] ?? root + "/run/user/\(getuid())") + "/pulse/native"
        // Another machine's server is known by its address only; whether it answers, a running core says.
        if let named, !named.hasPrefix("unix:"), !named.hasPrefix("/") {
            return Finding(subject: "sound server", isFine: true, text: "PULSE_SERVER=\(named)")
        }
        let path = named.map { $0.hasPrefix("unix:") ? String($0.dropFirst(5)) : $0 } ?? socket
        if (try? CoreLauncher.isListening(path)) == true {
            return Finding(subject: "sound server", isFine: true, text: path)
        }
        return Finding(
            subject: "sound server", isFine: false,
            text: "none listens at \(path); calls work without one, unheard. For the sound of the machine that you "
                + "sit at: ssh -R \(directories.runtime)/pulse.sock:$XDG_RUNTIME_DIR/pulse/native HOST, then here "
                + "hoot ctl settings.set name=audio.server value=unix:\(directories.runtime)/pulse.sock",
            command: startOfSoundServer)
    }

    private var startOfSoundServer: String {
        let programs = ["pipewire-pulse", "pulseaudio"]
        guard let program = programs.first(where: isInstalled) else { return "sudo apt-get install pulseaudio" }
        if hasSystemd { return "systemctl --user start \(program).socket" }
        return program == "pulseaudio" ? "pulseaudio --start" : "pipewire & wireplumber & pipewire-pulse &"
    }

    private var hasSystemd: Bool {
        access(root + "/run/systemd/system", F_OK) == 0
    }

    private func linger() -> Finding? {
        guard hasSystemd else { return nil }
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
        let isOn = access(root + "/var/lib/systemd/linger/\(user)", F_OK) == 0
        return Finding(
            subject: "linger", isFine: isOn,
            text: isOn
                ? "on: the sound server outlives your logins"
                : "off: the sound server ends with your last login, the call goes on without sound",
            command: isOn ? nil : "loginctl enable-linger")
    }

    private func killUserProcesses() -> Finding? {
        guard hasSystemd, getuid() != 0, killsUserProcesses else { return nil }
        return Finding(
            subject: "logind", isFine: false, text: "KillUserProcesses=yes: the core ends with your last login",
            command: "loginctl enable-linger && systemd-run --scope --user hoot core")
    }

    /// logind.conf and its drop-ins, in the order in which later ones win (logind.conf(5)).
    private var killsUserProcesses: Bool {
        let places = ["/usr/lib/systemd", "/run/systemd", "/etc/systemd"].map { root + $0 }
        let dropIns = places.map { $0 + "/logind.conf.d" }.flatMap { directory in
            entries(of: directory).filter { $0.hasSuffix(".conf") }.sorted().map { "\(directory)/\($0)" }
        }
        let lines = (places.map { $0 + "/logind.conf" } + dropIns).flatMap { path in
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self).split(separator: "\n")
        }
        let words = lines.map { $0.lowercased().filter { !$0.isWhitespace } }
        let last = words.last { $0.hasPrefix("killuserprocesses=") }
        return ["yes", "true", "on", "1"].contains(last?.dropFirst("killuserprocesses=".count) ?? "no")
    }

    private func certificates() -> Finding {
        let libraries = [root + "/usr/lib", root + "/usr/lib64", root + "/usr/local/lib"]
        let directories =
            libraries
            + libraries.flatMap { parent in
                entries(of: parent).filter { $0.hasSuffix("-gnu") }.map { "\(parent)/\($0)" }
            }
        let hasTLS = directories.contains { directory in
            entries(of: directory + "/gio/modules").contains {
                $0.hasPrefix("libgiognutls") || $0.hasPrefix("libgioopenssl")
            }
        }
        return Finding(
            subject: "TLS", isFine: hasTLS,
            text: hasTLS ? "glib-networking is here" : "glib-networking is missing: rooms need it",
            command: hasTLS ? nil : "sudo apt-get install glib-networking")
    }

    private func terminal() -> Finding {
        let name = environment["TERM"] ?? ""
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let isUTF8 = locale.uppercased().replacingOccurrences(of: "-", with: "").contains("UTF8")
        let text = "TERM=\(name.isEmpty ? "(none)" : name), locale \(locale)"
        if name.isEmpty || name == "dumb" {
            return Finding(
                subject: "terminal", isFine: false, text: text + ": no screen can be drawn",
                command: "hoot --plain")
        }
        return Finding(
            subject: "terminal", isFine: isUTF8, text: isUTF8 ? text : text + ": the screen keeps to ASCII",
            command: isUTF8 ? nil : "export LC_ALL=C.UTF-8")
    }

    func entries(of directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    private func isInstalled(_ program: String) -> Bool {
        (environment["PATH"] ?? "/usr/bin").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
