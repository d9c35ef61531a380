import Glibc
import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// What a server is found to be, against a real one.
@Suite(.serialized) @EngineActor struct ICEServerCheckTests {
    private nonisolated static let credentials = TURNCredentials(user: TurnServer.user, secret: TurnServer.secret)

    private func server(
        _ turn: TurnServer, _ transport: ICEServer.Transport, _ credentials: TURNCredentials? = credentials
    ) -> ICEServer {
        ICEServer(
            .turn, transport, host: turn.address, port: transport == .tls ? turn.securePort : turn.port,
            credentials: credentials)
    }

    private func check(_ server: ICEServer, authority: String = "") async throws(ICEServerFailure)
        -> ICEServerCheck.Report
    {
        try await ICEServerCheck(server, authorityFile: authority, limit: .seconds(5)).run()
    }

    @Test(arguments: [ICEServer.Transport.udp, .tcp, .tls])
    func aServerIsMeasuredAndRelays(_ transport: ICEServer.Transport) async throws {
        let turn = try TurnServer()
        let report = try await check(server(turn, transport), authority: turn.certificateFile)
        #expect(report.mapped == "127.0.0.1")
        #expect(report.relayed == "127.0.0.1")
        #expect(report.roundTrip > .zero && report.roundTrip < .milliseconds(500))
    }

    @Test func wrongCredentialsAreNamed() async throws {
        let turn = try TurnServer()
        for wrong in [TURNCredentials(user: "hoot", secret: "wrong"), TURNCredentials(user: "who", secret: "wrong")] {
            let server = server(turn, .udp, wrong)
            await #expect(throws: ICEServerFailure(server, .wrongCredentials)) { try await check(server) }
        }
        let unknown = server(turn, .udp, nil)
        await #expect(throws: ICEServerFailure(unknown, .noCredentials)) { try await check(unknown) }
    }

    @Test func timeLimitedCredentialsHoldUntilTheirTime() async throws {
        let turn = try TurnServer(sharedSecret: "north")
        let now = Int(time(nil))
        let valid = TURNCredentials(sharedSecret: "north", name: "a", expiry: now + 60)
        #expect(try await check(server(turn, .udp, valid)).relayed != nil)
        let over = server(turn, .udp, TURNCredentials(sharedSecret: "north", name: "a", expiry: now - 60))
        await #expect(throws: ICEServerFailure(over, .wrongCredentials)) { try await check(over) }
    }

    @Test func whatIsNotThereIsToldFromWhatIsSilent() async throws {
        let turn = try TurnServer()
        let (udp, tcp) = (server(turn, .udp), server(turn, .tcp))
        turn.stop()
        for server in [udp, tcp] {
            let failure = await #expect(throws: ICEServerFailure.self) { try await check(server) }
            guard case .unreachable(let why)? = failure?.reason else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(why.contains("refused"))
        }
        let unknown = ICEServer(.stun, host: "no-such-name.invalid")
        await #expect(throws: ICEServerFailure(unknown, .unknownName)) { try await check(unknown) }
        let silent = try #require(SilentPort())
        let deaf = ICEServer(.stun, host: "127.0.0.1", port: silent.port)
        let begun = MonoTime.now()
        await #expect(throws: ICEServerFailure(deaf, .silent)) {
            try await ICEServerCheck(deaf, authorityFile: "", limit: .milliseconds(300)).run()
        }
        #expect(MonoTime.now() - begun < .seconds(2))
    }

    @Test func aCertificateThatNobodyVouchesForIsRefused() async throws {
        let turn = try TurnServer()
        let server = server(turn, .tls)
        for authority in ["", "/nowhere.pem"] {
            let failure = await #expect(throws: ICEServerFailure.self) { try await check(server, authority: authority) }
            guard case .certificate? = failure?.reason else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
        var other = server
        other.host = "localhost.localdomain"
        let stranger = try? await ServerStream.connect(
            to: other, at: "127.0.0.1", authorities: TLSAuthorities(file: turn.certificateFile),
            Cancellation(after: .seconds(5)))
        #expect(stranger == nil, "the certificate is for another name")
    }
}
