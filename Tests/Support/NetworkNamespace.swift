import Glibc

/// A network of a test's own: nothing gets out, and no port is taken. What runs with `prefix` before its words is in it.
package final class NetworkNamespace {
    package let prefix: [String]
    /// Keeps the namespace.
    private let holder: NamespaceHolder

    /// Nothing but loopback, and a default route into it. `hasInterface`: and an interface with 10.98.0.1, for who does
    /// not use loopback.
    package convenience init(hasInterface: Bool = false) throws {
        // Firefox gathers no candidate without a default route.
        let loopback = "ip link set lo up && ip route add default dev lo src 127.0.0.1"
        let interface = """
            ip link add near type veth peer name far
            ip addr add 10.98.0.1/24 dev near
            ip link set near up
            ip link set far up
            """
        let holder = try NamespaceHolder(
            unshare: "-Urn", script: hasInterface ? loopback + "\n" + interface : loopback)
        self.init(prefix: holder.prefix + ["-n"], holder: holder)
    }

    init(prefix: [String], holder: NamespaceHolder) {
        self.prefix = prefix
        self.holder = holder
    }

    /// Runs a shell script in it, to its end.
    package func run(_ script: String) throws {
        let child = try ChildProcess(
            prefix + ["sh", "-e", "-c", script], environment: NamespaceHolder.environment, log: STDERR_FILENO)
        guard child.wait() == 0 else { throw ChildProcess.Failure(description: "failed in a namespace: \(script)") }
    }
}

/// The process that keeps new namespaces for as long as it lives, which is as long as this object and the test do.
final class NamespaceHolder {
    static let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]

    private let process: ChildProcess
    private let lifeline: Int32

    /// Makes the namespaces, by these options of `unshare`, and prepares them by a shell script.
    init(unshare options: String, script: String) throws {
        let input = try makePipe()
        let output = try makePipe()
        process = try ChildProcess(
            ["unshare", options, "sh", "-e", "-c", script + "\necho ready\nexec cat"], environment: Self.environment,
            input: input.reader, output: output.writer, log: STDERR_FILENO)
        close(input.reader)
        close(output.writer)
        defer { close(output.reader) }
        lifeline = input.writer
        var byte: UInt8 = 0
        guard read(output.reader, &byte, 1) == 1 else {
            throw ChildProcess.Failure(description: "no namespaces: unshare \(options) or its script failed, see above")
        }
    }

    deinit {
        close(lifeline)
        process.kill()
    }

    /// Enters the user namespace; options for the others follow.
    var prefix: [String] {
        ["nsenter", "-t", "\(process.pid)", "-U", "--preserve-credentials"]
    }
}
