import Glibc
import Primitives

/// A coturn of a test's own, by default on loopback: STUN and TURN over UDP, TCP and TLS. It ends with this object, and
/// with the test's process.
package final class TurnServer {
    package let address: String
    /// Of UDP and TCP.
    package let port: UInt16
    /// Of TLS.
    package let securePort: UInt16
    /// A PEM file with the certificate, which is its own authority and names 127.0.0.1, ::1,
    /// localhost and 10.45.9.254.
    package let certificateFile: String
    private let directory: TemporaryDirectory
    private var program: ChildProcess?
    private var lifeline: Int32

    /// The user and the secret that it takes unless it shares a secret for time-limited credentials.
    package static let user = "hoot"
    package static let secret = "b@d:s%cret"

    /// Starts it and waits until it serves.
    ///
    /// - Parameters:
    ///   - relayAddress: what it relays from, where that is not `address`.
    ///   - sharedSecret: for time-limited credentials, instead of a user and a secret.
    ///   - prefix: a program with arguments that starts it, as in another namespace, where `address` and `ports` then are.
    ///   - ports: of UDP and TCP, and of TLS; any free ones of loopback when left out.
    package init(
        sharedSecret: String? = nil, prefix: [String] = [], address: String = "127.0.0.1",
        relayAddress: String? = nil,
        ports: (UInt16, UInt16)? = nil
    ) throws {
        directory = try TemporaryDirectory("hoot-turn")
        self.address = address
        (port, securePort) = try ports ?? (Self.freePort(), Self.freePort())
        certificateFile = directory.path + "/certificate.pem"
        try Self.write(Self.certificate, to: certificateFile)
        try Self.write(Self.key, to: directory.path + "/key.pem")
        let credentials =
            sharedSecret.map { ["--use-auth-secret", "--static-auth-secret=\($0)"] }
            ?? ["--lt-cred-mech", "--user=\(Self.user):\(Self.secret)"]
        let arguments =
            prefix + [
                "turnserver", "-n", "--listening-ip=\(address)", "--relay-ip=\(relayAddress ?? address)",
                "--listening-port=\(port)",
                "--tls-listening-port=\(securePort)", "--realm=hoot.test", "--fingerprint", "--allow-loopback-peers",
                "--cli-password=x", "--no-cli", "--no-multicast-peers", "--cert=\(certificateFile)",
                "--pkey=\(directory.path)/key.pem", "--pidfile=\(directory.path)/pid",
                "--userdb=\(directory.path)/users", "--log-file=stdout",
            ] + credentials
        let (input, lifeline) = try makePipe()
        let (output, log) = try makePipe()
        self.lifeline = lifeline
        defer { for descriptor in [input, log, output] { close(descriptor) } }
        // The shell ends the server when the pipe ends, however the test does.
        program = try ChildProcess(
            ["sh", "-c", "\"$@\" </dev/null & read _; kill $!; wait", "sh"] + arguments,
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": directory.path], input: input, output: log,
            log: log)
        guard Self.waits(output, for: "DB connection success", until: .now() + .seconds(15)) else {
            throw ChildProcess.Failure(description: "turnserver did not start; is coturn installed?")
        }
    }

    deinit {
        stop()
    }

    /// Ends it.
    package func stop() {
        guard lifeline >= 0 else { return }
        close(lifeline)
        lifeline = -1
        program?.wait()
    }

    /// Reads until a text comes.
    private static func waits(_ descriptor: Int32, for text: String, until deadline: MonoTime) -> Bool {
        var read: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: read, as: UTF8.self).contains(text) {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline - MonoTime.now()
            guard left > .zero, poll(&poller, 1, Int32(left.milliseconds.rounded(.up))) > 0 else { return false }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return false }
            read += chunk[..<count]
        }
        return true
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw ChildProcess.Failure(description: "cannot write \(path)")
        }
    }

    /// A port of loopback that is free for UDP and TCP at this moment.
    private static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            if isFree(port, Int32(SOCK_STREAM.rawValue)), isFree(port, Int32(SOCK_DGRAM.rawValue)) { return port }
        }
        throw ChildProcess.Failure(description: "no free port")
    }

    private static func isFree(_ port: UInt16, _ type: Int32) -> Bool {
        let descriptor = socket(AF_INET, type, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBfzCCASWgAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAl0dXJuLnRl
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CXR1cm4udGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKiLWGddYuPNgKsF
        vz/3/6tDnHRGtluiG33kB7lPjc3AzGF1iGHAY1aMGcSQ9ind/4OUklQ6V0LdGaZV
        MsMf31yjZjBkMDIGA1UdEQQrMCmHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAGCCWxv
        Y2FsaG9zdIcECi0J/jAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRqYvWfKKvA
        oqHU2JqxbBjr85CksTAKBggqhkjOPQQDAgNIADBFAiBMjQ+4SGmoHOs+8ehZc1be
        iLAjeFcfuKdFf51MKCe3lgIhAP7OZaSLVf/Y+ijQK3t4uFSXv+QRKlv2mxr5XXMU
        0bJl
        -----END CERTIFICATE-----

        """

    /// Worth nothing outside of tests.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgt0YKjIJEc8OVYPoo
        g+ICcbPGW1ev2PScCcPDz8Qbj2KhRANCAASoi1hnXWLjzYCrBb8/9/+rQ5x0RrZb
        oht95Ae5T43NwMxhdYhhwGNWjBnEkPYp3f+DlJJUOldC3RmmVTLDH99c
        -----END PRIVATE KEY-----

        """
}
