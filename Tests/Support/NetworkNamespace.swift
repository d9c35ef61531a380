import Glibc

/// A network of a test's own: nothing gets out, and no port is taken. What runs with `prefix` before its words is in it.
package final class NetworkNamespace {
    package let prefix: [String]
    /// Keeps the namespace.
    private let holder: NamespaceHolder

    /// Nothing but loopback, and a default route into it. `hasInterface`: and an interface with 10.98.0.1, for who does
    /// not use loopback.
    package convenience init(hasInterface: Bool = false) throws {
        let holder = try NamespaceHolder(
            unshare: "-Urn", script: hasInterface ? Self.loopback + Self.interface : Self.loopback)
        self.init(prefix: holder.prefix + ["-n"], holder: holder)
    }

    /// Loopback, and an interface with 10.98.0.1 over which names below `.local` are looked up. `hasAvahi`: by an avahi of
    /// its own; without one they are unknown.
    package convenience init(multicastNames hasAvahi: Bool) throws {
        let holder = try NamespaceHolder(
            unshare: "-Urnm",
            script: Self.loopback + Self.interface + Self.multicastNames + (hasAvahi ? Self.avahi : ""))
        self.init(prefix: holder.prefix + ["-m", "-n"], holder: holder)
    }

    /// Firefox gathers no candidate without a default route.
    private static let loopback = """
        ip link set lo up
        ip route add default dev lo src 127.0.0.1

        """

    private static let interface = """
        ip link add near type veth peer name far
        ip addr add 10.98.0.1/24 dev near
        ip link set near up
        ip link set far up

        """

    /// The resolver asks avahi alone, whatever the machine has. Where nobody answers as a name server it says so at once.
    private static let multicastNames = """
        ip route replace default dev near
        mount -t tmpfs none /run
        echo 'hosts: files mdns4_minimal [NOTFOUND=return] dns' >/run/nsswitch.conf
        echo 'nameserver 127.0.0.1' >/run/resolv.conf
        for file in nsswitch.conf resolv.conf; do mount --bind /run/$file /etc/$file; done

        """

    /// It insists on a user of its own, and nobody but root is known here: so both are one. It ends with the namespaces.
    private static let avahi = """
        echo 'root:x:0:0::/:/bin/sh' >/run/passwd
        echo 'avahi:x:0:0::/:/bin/sh' >>/run/passwd
        printf 'root:x:0:\\navahi:x:0:\\n' >/run/group
        for file in passwd group; do mount --bind /run/$file /etc/$file; done
        printf '[server]\\nuse-ipv6=no\\nenable-dbus=no\\n[publish]\\ndisable-publishing=yes\\n' >/run/avahi.conf
        setpriv --pdeathsig KILL avahi-daemon -f /run/avahi.conf --no-drop-root --no-chroot --no-rlimits >&2 &
        for _ in $(seq 200); do [ ! -S /run/avahi-daemon/socket ] || break; sleep 0.05; done
        [ -S /run/avahi-daemon/socket ]

        """

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
