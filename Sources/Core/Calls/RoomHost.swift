import ControlProtocol
import Foundation
import Glibc
import Primitives
import Reactor
import Signaling
import Transport

/// The rooms that this core serves: one server for each address that is listened on.
@EngineActor
final class RoomHost {
    /// Where and how a room is served.
    struct Plan {
        var name: RoomName
        var address: String
        var port: UInt16
        /// The user's own certificate; self-signed without one.
        var certificate: CertificateFiles?
        var publicAddress: String?
        /// Where a reverse proxy shows the room: its address is the only one that links name then.
        var publicOrigin: PublicOrigin?
        var seats = 8
        var hasLobby = false
        var answerTime = Duration.seconds(45)
        var iceServers: @Sendable (MemberID) -> [Signaling.ICEServer] = { _ in [] }
    }

    /// A room that is open.
    struct Opened {
        let plan: Plan
        let server: RoomServer
        /// The certificate that links pin, where no authority vouches for it.
        let pin: CertificateFingerprint?
        /// By the addresses that this machine had when they were last asked for.
        var links: [RoomLink] = []
        /// What the user should know, such as that browsers will warn.
        var note: String?

        var name: RoomName { plan.name }
    }

    let invites: InviteStore
    private let directories: Directories
    private var servers: [String: RoomServer] = [:]
    /// The server's key in `servers`, by room.
    private var places: [String: String] = [:]
    /// The rooms that are open, also those that their host has left.
    private var rooms: [String: Opened] = [:]
    /// Servers that have said goodbye and are about to close.
    private var retiring: [ObjectIdentifier: EngineTimer] = [:]

    init(directories: Directories) {
        self.directories = directories
        invites = InviteStore(path: directories.state + "/invites.json")
    }

    /// Opens a room and gives its links, the likeliest first.
    func open(_ plan: Plan) throws -> Opened {
        let isPlain = plan.certificate == nil && plan.publicAddress == nil && Self.isLoopback(plan.address)
        let isSelfSigned = plan.certificate == nil && !isPlain
        let security: RoomServer.Security = isPlain ? .plain : .tls(try plan.certificate?.load() ?? selfSigned())
        var configuration = RoomServer.Configuration(security: security)
        configuration.address = plan.address
        configuration.port = plan.port
        let server = try makeServer(configuration)
        if let certificate = plan.certificate { server.changedCredentials = { certificate.changed() } }
        var book = invites.book(of: plan.name)
        let token = try book.ownLink(at: InviteStore.now)
        var room = RoomConfiguration(invites: book)
        room.seats = plan.seats
        room.hasLobby = plan.hasLobby
        room.answerTime = plan.answerTime
        room.iceServers = plan.iceServers
        try server.open(room)
        invites.keep(book.record, of: plan.name)
        places[plan.name.text] = Self.key(plan.address, server.port)
        servers[Self.key(plan.address, server.port)] = server
        var opened = Opened(plan: plan, server: server, pin: isSelfSigned ? server.fingerprint : nil)
        if let origin = plan.publicOrigin {
            server.publicOrigins.insert(origin.text)
        } else {
            opened.note = isSelfSigned ? Self.browserNote : isPlain ? Self.loopbackNote : nil
        }
        opened.links = Self.links(to: opened, by: token)
        rooms[plan.name.text] = opened
        return opened
    }

    /// The proxy's link, else those by this machine's own addresses, the likeliest first.
    private static func links(to opened: Opened, by token: RoomToken) -> [RoomLink] {
        let plan = opened.plan
        if let origin = plan.publicOrigin { return [origin.link(to: plan.name, token: token)] }
        let addresses = ReachableAddresses.current(
            listening: plan.address, publicAddress: plan.publicAddress,
            sshConnection: getenv("SSH_CONNECTION").map { String(cString: $0) })
        return addresses.compactMap {
            try? RoomLink(
                scheme: opened.server.fingerprint == nil ? .http : .https, host: $0, port: opened.server.port,
                room: plan.name, token: token, fingerprint: opened.pin)
        }
    }

    /// The links of an open room after its own link has given way to another, or this machine's addresses to others.
    func refreshLinks(of room: String) -> [String] {
        guard let opened = rooms[room] else { return [] }
        if var book = opened.server.invites(of: opened.name), let token = try? book.ownLink(at: InviteStore.now) {
            rooms[room]?.links = Self.links(to: opened, by: token)
        }
        return rooms[room]?.links.map(\.text) ?? []
    }

    /// The room that is open here, when it is only one.
    var onlyRoom: Opened? {
        rooms.count == 1 ? rooms.first?.value : nil
    }

    /// Closes a room for everyone, and its server when it serves no other; `keepsRoom` lets those inside stay.
    func close(_ room: String, keepsRoom: Bool) {
        guard let key = places[room], let server = servers[key], let name = try? RoomName(room) else { return }
        guard !keepsRoom else { return }
        places[room] = nil
        rooms[room] = nil
        server.close(name, reason: "the host closed the room")
        invites.endSession(of: name)
        if !places.values.contains(key) { retire(server, key) }
    }

    func shutDown() {
        for server in servers.values { server.shutDown() }
        servers = [:]
        places = [:]
        rooms = [:]
    }

    /// A room that is open here; its host may have left it.
    func room(_ name: String) -> Opened? {
        rooms[name]
    }

    private func makeServer(_ configuration: RoomServer.Configuration) throws(RoomServerError) -> RoomServer {
        if configuration.port != 0, let server = servers[Self.key(configuration.address, configuration.port)] {
            return server
        }
        let server = try RoomServer(configuration)
        server.onInvitesChanged = { [invites] in invites.keep($1, of: $0) }
        return server
    }

    /// Gives what was said to the members a moment to leave the machine.
    private func retire(_ server: RoomServer, _ key: String) {
        servers[key] = nil
        let id = ObjectIdentifier(server)
        let timer = EngineTimer { [weak self] in
            server.shutDown()
            self?.retiring[id] = nil
        }
        timer.arm(after: .milliseconds(300))
        retiring[id] = timer
    }

    private func selfSigned() throws -> TLSCredentials {
        try TLSCredentials(keptIn: directories.state) {
            // The key comes first, then the certificate: each goes into a file of its own.
            let pem = String(decoding: try DTLSIdentity().pem(), as: UTF8.self)
            let start = pem.range(of: "-----BEGIN CERTIFICATE-----")?.lowerBound ?? pem.endIndex
            return TLSCredentials(certificatePEM: String(pem[start...]), keyPEM: String(pem[..<start]))
        }
    }

    private static func key(_ address: String, _ port: UInt16) -> String {
        "\(address)|\(port)"
    }

    static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address == "localhost"
    }

    private static let browserNote =
        "The certificate is self-signed: hoot join pins it by the link, browsers will warn. --cert and --key give a "
        + "real one."

    private static let loopbackNote =
        "Only this machine reaches the room; ssh -L brings it to another, whose browser then opens the same link."
}
