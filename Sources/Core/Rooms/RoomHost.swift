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

    /// What a server shows its guests of itself; all rooms of one address share it.
    enum Proof: Hashable {
        /// Plain HTTP, on loopback only.
        case none
        case selfSigned
        case files(certificate: String, key: String)

        /// Whether a room that asks for `self` is well served with `other`.
        func isMet(by other: Proof) -> Bool {
            switch (self, other) {
            case (.none, _), (.selfSigned, .files): true
            default: self == other
            }
        }
    }

    private struct Served {
        let server: RoomServer
        let proof: Proof
    }

    let invites: InviteStore
    /// Called when a room is open no more.
    var onClosed: (() -> Void)?
    private let directories: Directories
    private var servers: [String: Served] = [:]
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
        let (served, isRenewed) = try serve(plan)
        let server = served.server
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
        servers[Self.key(plan.address, server.port)] = served
        var opened = Opened(
            plan: plan, server: server, pin: served.proof == .selfSigned ? server.fingerprint : nil)
        if let origin = plan.publicOrigin {
            server.publicOrigins.insert(origin.text)
        } else {
            opened.note = Self.note(on: served.proof, isRenewed: isRenewed)
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
    func refreshLinks(of room: String) -> [RoomLink] {
        guard let opened = rooms[room] else { return [] }
        if var book = opened.server.invites(of: opened.name), let token = try? book.ownLink(at: InviteStore.now) {
            rooms[room]?.links = Self.links(to: opened, by: token)
        }
        return rooms[room]?.links ?? []
    }

    /// The room that is open here, when it is only one.
    var onlyRoom: Opened? {
        openNames.count == 1 ? openNames.first.flatMap(room) : nil
    }

    /// The names of the rooms that are open, also of those that their host has left.
    var openNames: [String] {
        rooms.keys.filter { room($0) != nil }.sorted()
    }

    /// Closes a room for everyone, and its server when it serves no other; `keepsRoom` lets those inside stay.
    func close(_ room: String, keepsRoom: Bool) {
        guard !keepsRoom, let opened = rooms[room] else { return }
        opened.server.close(opened.name, reason: "the host closed the room")
        forget(opened.name)
    }

    /// A room is closed, by us or by another host; its server goes with it when it serves no other.
    private func forget(_ name: RoomName) {
        guard let opened = rooms.removeValue(forKey: name.text) else { return }
        invites.endSession(of: name)
        if let key = places.removeValue(forKey: name.text), !places.values.contains(key) { retire(opened.server, key) }
        onClosed?()
    }

    func shutDown() {
        for served in servers.values { served.server.shutDown() }
        servers = [:]
        places = [:]
        rooms = [:]
    }

    /// A room that is open here; its host may have left it, and another host may have closed it since.
    func room(_ name: String) -> Opened? {
        rooms[name].flatMap { $0.server.invites(of: $0.name) == nil ? nil : $0 }
    }

    /// The server at the plan's address: the one that is there already, or another. `isRenewed`: our own certificate gave
    /// way to a new one.
    private func serve(_ plan: Plan) throws -> (served: Served, isRenewed: Bool) {
        let wanted = Proof(plan)
        if plan.port != 0, let served = servers[Self.key(plan.address, plan.port)] {
            guard wanted.isMet(by: served.proof) else { throw Self.conflict(plan, served.proof) }
            return (served, false)
        }
        var isRenewed = false
        var configuration = RoomServer.Configuration(security: .plain)
        if let certificate = plan.certificate {
            configuration.security = .tls(try certificate.load())
        } else if wanted == .selfSigned {
            let kept = try selfSigned()
            isRenewed = kept.isRenewed
            configuration.security = .tls(kept.credentials)
        }
        configuration.address = plan.address
        configuration.port = plan.port
        let server = try RoomServer(configuration)
        server.onInvitesChanged = { [invites] in invites.keep($1, of: $0) }
        server.onRoomClosed = { [weak self] in self?.forget($0) }
        if let certificate = plan.certificate { server.changedCredentials = { certificate.changed() } }
        return (Served(server: server, proof: wanted), isRenewed)
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

    private func selfSigned() throws -> (credentials: TLSCredentials, isRenewed: Bool) {
        try TLSCredentials.kept(in: directories.state, at: Int(InviteStore.now)) {
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

    private static func conflict(_ plan: Plan, _ proof: Proof) -> UserFacingError {
        let present =
            switch proof {
            case .none: "without TLS"
            case .selfSigned: "with the self-signed certificate"
            case .files(let certificate, _): "with \(certificate)"
            }
        return UserFacingError(
            "room \(plan.name.text)", why: "\(plan.address):\(plan.port) serves other rooms \(present) already",
            remedy: "host it with the same, or at another address or port (--listen)")
    }

    private static func note(on proof: Proof, isRenewed: Bool) -> String? {
        switch proof {
        case .none:
            "Only this machine reaches the room; ssh -L brings it to another, whose browser then opens the same link."
        case .selfSigned:
            (isRenewed
                ? "The former certificate was at its end: links from before are void, these take their place. " : "")
                + "The certificate is self-signed: hoot join pins it by the link, browsers will warn. --cert and --key "
                + "give a real one."
        case .files: nil
        }
    }
}

extension RoomHost.Proof {
    /// What a room of this plan asks for.
    @EngineActor
    init(_ plan: RoomHost.Plan) {
        if let files = plan.certificate {
            self = .files(certificate: files.certificate, key: files.key)
        } else if plan.publicAddress == nil, RoomHost.isLoopback(plan.address) {
            self = .none
        } else {
            self = .selfSigned
        }
    }
}
