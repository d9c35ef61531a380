import Foundation
import Reactor
import Signaling
import Transport

/// Which servers the members of hosted rooms are given.
enum ICEServerSharing: String, CaseIterable {
    case none
    /// Those that need no credentials, or ones that run out.
    case open
    /// Also those whose user and secret are stored.
    case all
}

/// The STUN and TURN servers of `hoot.conf`, as this machine uses them and as rooms hand them out.
struct ICEServers {
    private let servers: [Transport.ICEServer]
    private let sharedSecret: String
    private let sharing: ICEServerSharing

    /// How long credentials hold that are made of `network.turn-secret`: a call, and who comes back to it a day later.
    private static let lifetime = 86_400

    @EngineActor
    init(_ settings: Settings) {
        servers = settings.strings("network.ice-servers").compactMap { try? Transport.ICEServer(uri: $0) }
        sharedSecret = settings.string("network.turn-secret")
        sharing = ICEServerSharing(rawValue: settings.string("network.share-ice-servers")) ?? .open
    }

    /// What this machine uses, under this name.
    func own(_ name: String) -> [Transport.ICEServer] {
        servers.map { $0.credentials == nil ? withTimeLimit($0, name) : $0 }
    }

    /// What a member of a hosted room is given.
    func shared(with member: String) -> [Signaling.ICEServer] {
        let shared = sharing == .none ? [] : servers.filter { sharing == .all || $0.credentials == nil }
        return shared.map { $0.credentials == nil ? withTimeLimit($0, member) : $0 }
            .filter { $0.kind == .stun || $0.credentials != nil }
            .map { Signaling.ICEServer($0) }
    }

    private func withTimeLimit(_ server: Transport.ICEServer, _ name: String) -> Transport.ICEServer {
        guard server.kind == .turn, !sharedSecret.isEmpty else { return server }
        var server = server
        let expiry = Int(Date().timeIntervalSince1970) + Self.lifetime
        server.credentials = TURNCredentials(sharedSecret: sharedSecret, name: name, expiry: expiry)
        return server
    }
}

extension Signaling.ICEServer {
    init(_ server: Transport.ICEServer) {
        self.init(
            urls: [server.description], username: server.credentials?.user, credential: server.credentials?.secret)
    }

    /// Its servers of kinds that hoot can use.
    var usable: [Transport.ICEServer] {
        urls.compactMap { url in
            guard var server = try? Transport.ICEServer(uri: url) else { return nil }
            if server.kind == .turn, let username, let credential {
                server.credentials = TURNCredentials(user: username, secret: credential)
            }
            return server
        }
    }
}
