import Primitives
import Testing

@testable import Transport

@Suite struct ICEServerTests {
    private static let credentials = TURNCredentials(user: "u", secret: "s")

    @Test(
        arguments: [
            ("stun:stun.example.org", ICEServer(.stun, host: "stun.example.org", port: 3478)),
            ("stun:192.0.2.1:19302", ICEServer(.stun, host: "192.0.2.1", port: 19302)),
            ("TURN:[2001:db8::1]:4000?transport=udp", ICEServer(.turn, host: "2001:db8::1", port: 4000)),
            ("turn:u:s@[2001:db8::1]", ICEServer(.turn, host: "2001:db8::1", credentials: credentials)),
            ("turn:u:s@host?transport=tcp", ICEServer(.turn, .tcp, host: "host", credentials: credentials)),
            ("turns:u:s@host", ICEServer(.turn, .tls, host: "host", port: 5349, credentials: credentials)),
            (
                "turns:u:s@host:443?transport=tcp",
                ICEServer(.turn, .tls, host: "host", port: 443, credentials: credentials)
            ),
            (
                "turn:1%3Aal%40x:a%2Cb:c%25@host",
                ICEServer(.turn, host: "host", credentials: TURNCredentials(user: "1:al@x", secret: "a,b:c%"))
            ),
        ])
    func aURIIsRead(_ uri: String, _ expected: ICEServer) throws {
        #expect(try ICEServer(uri: uri) == expected)
    }

    @Test(
        arguments: [
            ("", .scheme), ("http://host", .scheme), ("stuns:host", .scheme), ("host", .scheme), ("stun", .scheme),
            ("turns:host?transport=udp", .transport), ("turn:host?transport=sctp", .transport),
            ("stun:host?transport=tcp", .transport), ("turn:host?", .transport), ("turn:host?x", .transport),
            ("stun:", .address), ("stun:host:0", .address), ("stun:host:x", .address), ("stun:host:65536", .address),
            ("stun:[::1", .address), ("stun:[::1]x", .address), ("stun:[host]", .address), ("stun://host", .address),
            ("turn:a b", .address), ("stun:u:s@host", .credentials), ("turn:u@host", .credentials),
            ("turn::s@host", .credentials), ("turn:u:@host", .credentials), ("turn:u:%zz@host", .credentials),
            ("turn:u:…@host", .credentials),
        ] as [(String, ICEServer.Refusal)])
    func whatIsNoServerIsRefusedWithTheReason(_ uri: String, _ refusal: ICEServer.Refusal) {
        #expect(throws: refusal) { try ICEServer(uri: uri) }
    }

    @Test(
        arguments: [
            ("stun:h:3478", "stun:h"), ("turn:h:3479?transport=udp", "turn:h:3479"),
            ("turns:u:secret@[::1]:443", "turns:u:…@[::1]:443"),
            ("turn:a%3Ab:secret@h?transport=tcp", "turn:a%3Ab:…@h?transport=tcp"),
        ])
    func secretsAreNotShown(_ uri: String, _ shown: String) throws {
        let server = try ICEServer(uri: uri)
        #expect(server.shownURI == shown)
        #expect(!server.description.contains("secret") && !server.description.contains("@"))
        #expect(try ICEServer(uri: server.description).host == server.host)
    }

    /// The vector is by another implementation of HMAC-SHA1.
    @Test func timeLimitedCredentialsFollowTheConvention() {
        let credentials = TURNCredentials(sharedSecret: "north", name: "alice", expiry: 1_433_895_918)
        #expect(credentials == TURNCredentials(user: "1433895918:alice", secret: "RqMvcGPYTJMGThVLSi4amT4zFtI="))
    }

    private func route(
        _ kind: ICEServer.Kind, _ transport: ICEServer.Transport, _ address: String, _ milliseconds: Int?
    ) -> ICEServerRoute {
        ICEServerRoute(
            server: ICEServer(kind, transport, host: address), address: address,
            roundTrip: milliseconds.map { .milliseconds($0) })
    }

    /// Q91.
    @Test func theNearestServersAreChosen() {
        let near = route(.turn, .udp, "192.0.2.2", 20)
        let far = route(.turn, .udp, "192.0.2.1", 80)
        let silent = route(.turn, .udp, "192.0.2.3", nil)
        let stun = route(.stun, .udp, "192.0.2.4", 30)
        #expect(ICEServerRoute.chosen(from: [silent, far, stun, near]) == [stun, near, far])
        #expect(ICEServerRoute.chosen(from: [far, silent]) == [far, silent])
        #expect(ICEServerRoute.chosen(from: []).isEmpty)
    }

    @Test func datagramsArePreferredToStreamsOfTheSameServer() {
        let tcp = route(.turn, .tcp, "192.0.2.1", 20)
        let udp = route(.turn, .udp, "192.0.2.1", 22)
        let tls = route(.turn, .tls, "192.0.2.1", 18)
        #expect(ICEServerRoute.chosen(from: [tls, tcp, udp]) == [udp])
        let distant = route(.turn, .udp, "192.0.2.2", 90)
        #expect(ICEServerRoute.chosen(from: [distant, tls]) == [tls, distant])
    }
}
