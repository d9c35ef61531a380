import Glibc
import Primitives

/// A sound server of a test's own, on a private socket, with null sinks: what is played into `a_mic` is captured from
/// `a_mic.monitor`, and what is played to `a_spk` is heard at `a_spk.monitor`.
package final class PrivatePulse {
    /// Names of the null sinks that every server begins with unless asked otherwise.
    package static let standardSinks = ["a_mic", "b_mic", "a_spk", "b_spk"]

    private let directory: TemporaryDirectory
    private let sinks: [String]
    private var daemon: ChildProcess?

    /// Starts a server with `sinks` and waits until it accepts connections.
    package init(sinks: [String] = standardSinks) throws {
        directory = try TemporaryDirectory("hoot-pulse")
        self.sinks = sinks
        try start()
    }

    /// A directory whose server is started later.
    package init(stoppedWithSinks sinks: [String]) throws {
        directory = try TemporaryDirectory("hoot-pulse")
        self.sinks = sinks
    }

    deinit {
        kill()
    }

    /// The server string of the private socket.
    package var server: String {
        "unix:" + socketPath
    }

    /// What a client of this server needs in its environment.
    package var environment: [String: String] {
        [
            "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "PULSE_SERVER": server,
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", "LC_ALL": "C",
        ]
    }

    /// Starts the server (again) and waits until it accepts connections.
    ///
    /// A server that nobody uses for a minute ends by itself, so that a test that crashes leaves none behind.
    package func start() throws {
        unlink(socketPath)
        var arguments = [
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=60", "--use-pid-file=no", "--realtime=no",
            "--high-priority=yes", "--log-target=stderr", "--disable-shm=yes",
            "-L", "module-native-protocol-unix socket=\(socketPath) auth-anonymous=1",
        ]
        for sink in sinks { arguments += ["-L", "module-null-sink \(Self.sinkArguments(sink))"] }
        var own = environment
        own["PULSE_SERVER"] = nil
        let log = open(directory.path + "/pulse.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(log) }
        daemon = try ChildProcess(arguments, environment: own, log: log)
        guard SocketWatch.waitUntilListening(socketPath, until: .now() + .seconds(15)) else {
            throw ChildProcess.Failure(description: "the private sound server did not listen; see \(directory.path)")
        }
    }

    /// Ends the server as a crash would.
    package func kill() {
        daemon?.kill()
        daemon = nil
    }

    /// Stops the server's time, or lets it go on.
    package func setSuspended(_ isSuspended: Bool) {
        daemon?.send(isSuspended ? SIGSTOP : SIGCONT)
    }

    /// Runs `pactl` with `arguments` and returns what it prints.
    @discardableResult
    package func control(_ arguments: String...) throws -> String {
        try control(arguments)
    }

    private func control(_ arguments: [String]) throws -> String {
        let ends = try makePipe()
        defer { close(ends.reader) }
        let child = try ChildProcess(["pactl"] + arguments, environment: environment, output: ends.writer)
        close(ends.writer)
        let text = readToEnd(ends.reader)
        let status = child.wait()
        guard status == 0 else {
            throw ChildProcess.Failure(description: "pactl \(arguments) ended with \(status): \(text)")
        }
        return text
    }

    /// Loads a null sink. Returns its module's index, for `unload`.
    package func loadSink(_ name: String, _ properties: String = "") throws -> String {
        let more = properties.isEmpty ? [] : ["sink_properties=\(properties)"]
        let arguments = Self.sinkArguments(name).split(separator: " ").map(String.init) + more
        return try load("module-null-sink", arguments)
    }

    /// Makes a microphone out of the monitor of a sink. Returns its module's index, for `unload`.
    package func loadMicrophone(_ name: String, of sink: String) throws -> String {
        try load(
            "module-remap-source",
            ["source_name=\(name)", "master=\(sink).monitor", "source_properties=device.description=\(name)"])
    }

    /// Takes a module away.
    package func unload(_ module: String) throws {
        try control("unload-module", module)
    }

    private func load(_ module: String, _ arguments: [String]) throws -> String {
        let text = try control(["load-module", module] + arguments)
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    private var socketPath: String {
        directory.path + "/pulse.sock"
    }

    /// `norewinds`: without it a null sink renders up to 2 s ahead.
    private static func sinkArguments(_ name: String) -> String {
        "sink_name=\(name) rate=48000 channels=1 format=float32le norewinds=1"
    }

    private func readToEnd(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                bytes += buffer[..<count]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
