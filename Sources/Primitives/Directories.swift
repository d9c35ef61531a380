import Glibc

/// Where hoot keeps its socket, its configuration and its state: three absolute paths, resolved once.
///
/// The runtime directory outlives a login (`$XDG_RUNTIME_DIR` goes with the last session), so that consoles of any later
/// login or environment find the one core.
package struct Directories: Hashable, Sendable {
    /// Holds the core's socket: `$HOOT_RUNTIME_DIR`, else `/tmp/hoot-UID`.
    package let runtime: String
    /// Holds `hoot.conf`, `keys.conf`, `people.conf` and `themes/`: `$HOOT_CONFIG_DIR`, else `$XDG_CONFIG_HOME/hoot`,
    /// else `~/.config/hoot`.
    package let configuration: String
    /// Holds the log, the lock, certificates and history: `$HOOT_STATE_DIR`, else `$XDG_STATE_HOME/hoot`, else
    /// `~/.local/state/hoot`.
    package let state: String
    /// The folder of the calls' recordings.
    package var recordingsPath: String

    /// Resolves from `environment`. Relative values are ignored, as the XDG specification wants; with no usable home
    /// everything lives below the runtime directory.
    ///
    /// - Parameter passwordHome: the home directory of the password file, used when `HOME` is empty.
    package init(environment: [String: String], userID: UInt32, passwordHome: String? = nil) {
        func absolute(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return Self.trimmed(value)
        }
        let runtime = absolute("HOOT_RUNTIME_DIR") ?? "/tmp/hoot-\(userID)"
        let home = absolute("HOME") ?? passwordHome.flatMap { $0.hasPrefix("/") ? Self.trimmed($0) : nil }
        func below(_ variable: String, _ homePart: String, _ lastResort: String) -> String {
            if let base = absolute(variable) { return base + "/hoot" }
            guard let home, home != "/", home != "/nonexistent" else { return "\(runtime)/\(lastResort)" }
            return "\(home)/\(homePart)/hoot"
        }
        self.runtime = runtime
        configuration = absolute("HOOT_CONFIG_DIR") ?? below("XDG_CONFIG_HOME", ".config", "config")
        state = absolute("HOOT_STATE_DIR") ?? below("XDG_STATE_HOME", ".local/state", "state")
        recordingsPath = state + "/recordings"
    }

    /// The directories of this process: its environment, its user id, its password entry.
    package static func current() -> Directories {
        let names = [
            "HOOT_RUNTIME_DIR", "HOOT_CONFIG_DIR", "HOOT_STATE_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME",
        ]
        var environment: [String: String] = [:]
        for name in names {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        return Directories(environment: environment, userID: getuid(), passwordHome: passwordHome())
    }

    /// The core's listening socket.
    package var socketPath: String { runtime + "/core.sock" }
    /// The lock that makes the core the only one of its user.
    package var lockPath: String { state + "/core.lock" }
    /// The core's log.
    package var logPath: String { state + "/hoot.log" }
    /// The rooms that were joined, with their links.
    package var historyPath: String { state + "/rooms.json" }
    /// The folder of the calls' figures, a file for each call.
    package var figuresPath: String { state + "/calls" }
    /// The main configuration file.
    package var settingsPath: String { configuration + "/hoot.conf" }
    /// The user's key bindings.
    package var keysPath: String { configuration + "/keys.conf" }
    package var peoplePath: String { configuration + "/people.conf" }
    /// The user's themes.
    package var themesPath: String { configuration + "/themes" }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    private static func passwordHome() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                getpwuid_r(getuid(), &entry, base, buffer.count, &found) == 0, found != nil, let home = entry.pw_dir
            else { return nil }
            return String(cString: home)
        }
    }
}
