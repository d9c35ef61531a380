package import ControlProtocol
import Dispatch
import Glibc
import Primitives
import Reactor
import Synchronization
import Transport

/// The STUN and TURN servers of `hoot.conf`.
extension Doctor {
    /// Asks each of them: whether it answers, how soon, and for TURN whether it takes the credentials. Blocks for a few
    /// seconds at most; not for the engine's thread.
    package func examineServers() -> [Finding] {
        let found = Found()
        let done = DispatchSemaphore(value: 0)
        let path = directories.settingsPath
        Task { @EngineActor in
            let findings = await Self.findings(settingsPath: path)
            found.findings.withLock { $0 = findings }
            done.signal()
        }
        done.wait()
        return found.findings.withLock { $0 }
    }

    private final class Found: Sendable {
        let findings = Mutex<[Finding]>([])
    }

    @EngineActor
    private static func findings(settingsPath: String) async -> [Finding] {
        let settings = Settings(path: settingsPath)
        let servers = ICEServers(settings).own("doctor")
        guard !servers.isEmpty else {
            let text = "none configured: who is behind another NAT may be out of reach; network.ice-servers names them"
            return [Finding(subject: "STUN and TURN", isFine: true, text: text)]
        }
        let authority = settings.string("network.turn-ca")
        let checks = servers.map { server in
            Task { @EngineActor in await finding(server, authority) }
        }
        var findings = [secrecy(of: settingsPath, servers)].compactMap { $0 }
        for check in checks { findings.append(await check.value) }
        return findings
    }

    @EngineActor
    private static func finding(_ server: ICEServer, _ authority: String) async -> Finding {
        do throws(ICEServerFailure) {
            let report = try await ICEServerCheck(server, authorityFile: authority).run()
            let relay = report.relayed.map { ", relays from \($0)" } ?? ""
            let milliseconds = Int(report.roundTrip.milliseconds.rounded(.up))
            return Finding(
                subject: "\(server)", isFine: true, text: "answers in \(milliseconds) ms, sees \(report.mapped)\(relay)"
            )
        } catch {
            return Finding(subject: "\(server)", isFine: false, text: error.words)
        }
    }

    /// Whether others may read the secrets in the settings; `nil`: there are none, or nobody may.
    private static func secrecy(of path: String, _ servers: [ICEServer]) -> Finding? {
        var status = stat()
        guard servers.contains(where: { $0.credentials != nil }), stat(path, &status) == 0,
            status.st_mode & (S_IRGRP | S_IROTH) != 0
        else { return nil }
        return Finding(
            subject: "settings", isFine: false, text: "\(path) holds secrets, and others may read it",
            command: "chmod 600 \(path)")
    }
}
