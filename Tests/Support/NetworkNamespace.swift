import Glibc

/// A network of a test's own, with nothing in it but loopback and a default route into it: nothing gets out, and no port
/// is taken. What runs with `prefix` before its words is in it.
package final class NetworkNamespace {
    private let holder: ChildProcess
    private let lifeline: Int32
    package let prefix: [String]

    package init() throws {
        let input = try makePipe()
        let output = try makePipe()
        // Firefox gathers no candidate without a default route.
        let setUp = "ip link set lo up && ip route add default dev lo src 127.0.0.1 && echo ready && exec cat"
        holder = try ChildProcess(
            ["unshare", "-Urn", "sh", "-c", setUp],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], input: input.reader, output: output.writer,
            log: STDERR_FILENO)
        close(input.reader)
        close(output.writer)
        defer { close(output.reader) }
        lifeline = input.writer
        prefix = ["nsenter", "-t", "\(holder.pid)", "-U", "-n", "--preserve-credentials"]
        var byte: UInt8 = 0
        guard read(output.reader, &byte, 1) == 1 else {
            throw ChildProcess.Failure(description: "no network namespace: unshare -Urn or ip failed, see above")
        }
    }

    deinit {
        close(lifeline)
        holder.kill()
    }
}
