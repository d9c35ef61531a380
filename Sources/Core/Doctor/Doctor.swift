package import ControlProtocol
import Foundation
import Glibc
package import Primitives

/// Looks at the machine for what a call needs, and names the one command that mends each missing thing.
package struct Doctor {
    /// One thing that was looked at.
    package struct Finding: Sendable {
        /// What was looked at.
        package var subject: String
        package var isFine: Bool
        /// What was found, in one line.
        package var text: String
        /// What mends it.
        package var command: String?
    }

    private let directories: Directories
    private let environment: [String: String]

    package init(directories: Directories, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.directories = directories
        self.environment = environment
    }

    /// Everything, in the order in which a user would mend it. `problems` are those that a running core knows.
    package func examine(problems: [Problem]) -> [Finding] {
        [runtimeDirectory, stateDirectory, soundServer, linger, killUserProcesses, certificates, terminal]
            .compactMap { $0() }
            + problems.map { Finding(subject: $0.code, isFine: false, text: $0.text, command: $0.command) }
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

    private func soundServer() -> Finding? {
        if let address = environment["PULSE_SERVER"], !address.isEmpty {
            return Finding(subject: "sound server", isFine: true, text: "PULSE_SERVER=\(address)")
        }
        let runtime = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
        let socket = runtime + "/pulse/native"
        guard access(socket, F_OK) != 0 else {
            return Finding(subject: "sound server", isFine: true, text: socket)
        }
        let forward =
            "to use the sound of the machine that you sit at: "
            + "ssh -R \(directories.runtime)/pulse.sock:$XDG_RUNTIME_DIR/pulse/native HOST, "
            + "then hoot ctl settings.set name=audio.server value=unix:\(directories.runtime)/pulse.sock"
        return Finding(
            subject: "sound server", isFine: false,
            text: "none at \(socket); calls work without one, unheard; \(forward)",
            command: isInstalled("pulseaudio") || isInstalled("pipewire-pulse")
                ? "systemctl --user start pulseaudio.socket" : "sudo apt-get install pulseaudio")
    }

    private func linger() -> Finding? {
        guard getuid() != 0, access("/run/systemd/system", F_OK) == 0 else { return nil }
        let user = environment["USER"] ?? "\(getuid())"
        let isOn = access("/var/lib/systemd/linger/\(user)", F_OK) == 0
        return Finding(
            subject: "linger", isFine: isOn,
            text: isOn
                ? "on: the sound server outlives your logins" : "off: the sound server ends with your last login",
            command: isOn ? nil : "loginctl enable-linger")
    }

    private func killUserProcesses() -> Finding? {
        guard getuid() != 0, let text = try? String(contentsOfFile: "/etc/systemd/logind.conf", encoding: .utf8) else {
            return nil
        }
        let kills = text.split(separator: "\n").contains {
            $0.lowercased().filter { !$0.isWhitespace }.hasPrefix("killuserprocesses=yes")
        }
        guard kills else { return nil }
        return Finding(
            subject: "logind", isFine: false, text: "KillUserProcesses=yes ends the core with your last login",
            command: "systemd-run --scope --user hoot core")
    }

    private func certificates() -> Finding? {
        let modules = [
            "/usr/lib/x86_64-linux-gnu/gio/modules", "/usr/lib/aarch64-linux-gnu/gio/modules",
            "/usr/lib/gio/modules", "/usr/lib64/gio/modules",
        ]
        let hasTLS = modules.contains { directory in
            (try? FileManager.default.contentsOfDirectory(atPath: directory))?.contains { $0.contains("gnutls") }
                == true
        }
        return Finding(
            subject: "TLS", isFine: hasTLS, text: hasTLS ? "glib-networking is here" : "glib-networking is missing",
            command: hasTLS ? nil : "sudo apt-get install glib-networking")
    }

    private func terminal() -> Finding? {
        let name = environment["TERM"] ?? ""
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        let isUTF8 = locale.uppercased().replacingOccurrences(of: "-", with: "").contains("UTF8")
        return Finding(
            subject: "terminal", isFine: !name.isEmpty && isUTF8,
            text: "TERM=\(name.isEmpty ? "(none)" : name), locale \(locale.isEmpty ? "C" : locale)",
            command: isUTF8 ? nil : "export LC_ALL=C.UTF-8")
    }

    private func isInstalled(_ program: String) -> Bool {
        (environment["PATH"] ?? "/usr/bin").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
