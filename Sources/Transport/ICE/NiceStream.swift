import CGLib
import CNice
import Glibc
import Primitives
import Reactor

/// Owner of one libnice agent with its one stream: the calls, in Swift's terms.
///
/// Nomination is aggressive: the first check that is answered makes the pair, where regular nomination sends another
/// one after it. RFC 8445 drops the aggressive kind because the pair may change while checks go on; here that costs
/// nothing, since media and DTLS follow whatever pair is selected.
///
/// Consent (RFC 7675) is asked for every 5 s by keep-alives that want an answer, and is gone after 50 s without one. The
/// library's own consent checks give up after 10 s: two lost datagrams, in a call that is heard. A peer that should be
/// sending is missed much sooner, by its silence.
@EngineActor
final class NiceStream {
    let agent: GReference
    let stream: guint
    private let firstCheck = FirstCheck()
    private var receiver: UnsafeMutableRawPointer?
    /// The TURN servers by the place where libnice finds them.
    private var relays: [ICECandidate.Related: ICEServer] = [:]
    private var tunnels: [TLSTunnel] = []

    init(isControlling: Bool, relaysOnly: Bool) {
        agent = GReference(
            owning: nice_agent_new_full(
                EngineActor.executor.context, NICE_COMPATIBILITY_RFC5245, NICE_AGENT_OPTION_ICE_TRICKLE))
        agent.set("keepalive-conncheck", true)
        agent.set("controlling-mode", isControlling)
        agent.set("force-relay", relaysOnly)
        agent.set("upnp", false)
        agent.set("ice-tcp", false)
        agent.set("stun-pacing-timer", UInt32(5))
        agent.set("stun-initial-timeout", UInt32(100))
        stream = nice_agent_add_stream(agent.opaque, 1)
    }

    isolated deinit {
        CallbackTarget.release(receiver)
    }

    var credentials: ICECredentials? {
        var ufrag: UnsafeMutablePointer<gchar>?
        var password: UnsafeMutablePointer<gchar>?
        defer {
            g_free(ufrag)
            g_free(password)
        }
        guard nice_agent_get_local_credentials(agent.opaque, stream, &ufrag, &password) != 0, let ufrag, let password
        else { return nil }
        return ICECredentials(ufrag: String(cString: ufrag), password: String(cString: password))
    }

    func addLocalAddress(_ text: String) {
        var address = NiceAddress()
        nice_address_init(&address)
        guard nice_address_set_from_string(&address, text) != 0 else { return }
        nice_agent_add_local_address(agent.opaque, &address)
    }

    func setPorts(_ ports: ClosedRange<UInt16>) {
        nice_agent_set_port_range(agent.opaque, stream, 1, guint(ports.lowerBound), guint(ports.upperBound))
    }

    /// Uses a server; of several TURN servers libnice prefers the last. `isIPv6`: this machine has no IPv4.
    func add(_ route: ICEServerRoute, authorities: TLSAuthorities, isIPv6: Bool) {
        let server = route.server
        guard server.kind == .turn else {
            agent.set("stun-server", route.address)
            agent.set("stun-server-port", UInt32(server.port))
            return
        }
        guard let credentials = server.credentials else { return }
        var place = ICECandidate.Related(address: route.address, port: server.port)
        if server.transport == .tls {
            guard let tunnel = TLSTunnel(to: route, authorities: authorities, isIPv6: isIPv6) else {
                return Log.warning("ice", "\(server): no port on loopback for a tunnel")
            }
            tunnels.append(tunnel)
            place = .init(address: tunnel.address, port: tunnel.port)
        }
        relays[place] = server
        nice_agent_set_relay_info(
            agent.opaque, stream, 1, place.address, guint(place.port), credentials.user, credentials.secret,
            server.transport == .udp ? NICE_RELAY_TYPE_TURN_UDP : NICE_RELAY_TYPE_TURN_TCP)
    }

    /// The TURN servers that libnice was given.
    var relayServers: [ICEServer] {
        Array(relays.values)
    }

    /// The TURN server that relays the selected pair for us; `nil`: none does. Only libnice's own candidate knows it:
    /// copies, which signals carry, have lost it, and to ask them is a crash.
    var selectedRelay: ICEServer? {
        var local: UnsafeMutablePointer<NiceCandidate>?
        var remote: UnsafeMutablePointer<NiceCandidate>?
        guard nice_agent_get_selected_pair(agent.opaque, stream, 1, &local, &remote) != 0, let local,
            local.pointee.type == NICE_CANDIDATE_TYPE_RELAYED
        else { return nil }
        var address = NiceAddress()
        nice_candidate_relay_address(local, &address)
        return ICECandidate.place(address).flatMap { relays[$0] }
    }

    /// libnice has made the connections that it needs.
    func endGathering() {
        for tunnel in tunnels { tunnel.stopListening() }
    }

    func gather() -> Bool {
        defer { firstCheck.sendAtOnce() }
        return nice_agent_gather_candidates(agent.opaque, stream) != 0
    }

    func setRemote(_ credentials: ICECredentials) -> Bool {
        defer { firstCheck.sendAtOnce() }
        return nice_agent_set_remote_credentials(agent.opaque, stream, credentials.ufrag, credentials.password) != 0
    }

    /// Returns whether libnice took it.
    func addRemote(_ candidate: ICECandidate) -> Bool {
        let line = "a=" + candidate.description
        guard let parsed = nice_agent_parse_remote_candidate_sdp(agent.opaque, stream, line) else { return false }
        let list = g_slist_append(nil, parsed)
        defer {
            g_slist_free(list)
            nice_candidate_free(parsed)
            firstCheck.sendAtOnce()
        }
        return nice_agent_set_remote_candidates(agent.opaque, stream, 1, list) > 0
    }

    /// The peer's first check has come.
    func peerHasChecked() {
        firstCheck.answerAtOnce()
    }

    /// A pair works.
    func hasConnected() {
        firstCheck.hasConnected()
    }

    func endRemoteCandidates() {
        nice_agent_peer_candidate_gathering_done(agent.opaque, stream)
    }

    func send(_ datagram: UnsafeRawBufferPointer) -> Bool {
        let bytes = datagram.bindMemory(to: gchar.self)
        return nice_agent_send(agent.opaque, stream, 1, guint(bytes.count), bytes.baseAddress) == Int32(bytes.count)
    }

    /// Calls `handler` with each datagram that is not STUN; it finds `owner` by its user data.
    func attach(owner: AnyObject, handler: @escaping NiceAgentRecvFunc) {
        let target = CallbackTarget(owner).retainedPointer()
        receiver = target
        nice_agent_attach_recv(agent.opaque, stream, 1, EngineActor.executor.context, handler, target)
    }

    /// Stops listening, as a suspended process does: checks go unanswered, too.
    func detach() {
        nice_agent_attach_recv(agent.opaque, stream, 1, EngineActor.executor.context, nil, nil)
        CallbackTarget.release(receiver)
        receiver = nil
    }

    /// Datagrams that the kernel threw away because the engine read them too late.
    var socketDropCount: Int {
        guard let sockets = nice_agent_get_sockets(agent.opaque, stream, 1) else { return 0 }
        defer { g_ptr_array_unref(sockets) }
        return (0..<Int(sockets.pointee.len)).reduce(0) { total, index in
            guard let socket = sockets.pointee.pdata[index] else { return total }
            return total + drops(of: g_socket_get_fd(socket.assumingMemoryBound(to: GSocket.self)))
        }
    }

    private func drops(of descriptor: Int32) -> Int {
        // SO_MEMINFO fills an array whose ninth word is SK_MEMINFO_DROPS (linux/sock_diag.h).
        var words = [UInt32](repeating: 0, count: 9)
        var length = socklen_t(words.count * 4)
        guard getsockopt(descriptor, SOL_SOCKET, 55, &words, &length) == 0, length >= 36 else { return 0 }
        return Int(words[8])
    }

    /// Stops for good. It keeps itself alive for as long as libnice needs to give back what TURN servers hold.
    func tearDown() {
        detach()
        if !relays.isEmpty {
            nice_agent_close_async(agent.opaque, finishClosing, Unmanaged.passRetained(self).toOpaque())
        } else {
            nice_agent_remove_stream(agent.opaque, stream)
        }
    }
}

private func finishClosing(_: UnsafeMutablePointer<GObject>?, _: OpaquePointer?, _ data: gpointer?) {
    guard let data else { return }
    Unmanaged<NiceStream>.fromOpaque(data).release()
}

extension ICECandidate {
    /// What libnice knows of a candidate; `nil` for one that is not of UDP.
    init?(_ candidate: UnsafePointer<NiceCandidate>) {
        guard candidate.pointee.transport == NICE_CANDIDATE_TRANSPORT_UDP else { return nil }
        let kind: Kind
        switch candidate.pointee.type {
        case NICE_CANDIDATE_TYPE_HOST: kind = .host
        case NICE_CANDIDATE_TYPE_SERVER_REFLEXIVE: kind = .serverReflexive
        case NICE_CANDIDATE_TYPE_PEER_REFLEXIVE: kind = .peerReflexive
        case NICE_CANDIDATE_TYPE_RELAYED: kind = .relayed
        default: return nil
        }
        guard let place = Self.place(candidate.pointee.addr) else { return nil }
        let foundation = withUnsafeBytes(of: candidate.pointee.foundation) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(
            foundation: foundation, priority: candidate.pointee.priority, address: place.address, port: place.port,
            kind: kind, related: kind == .host ? nil : Self.place(candidate.pointee.base_addr))
    }

    /// `nil` for an address that is not set, as a peer's base is.
    static func place(_ address: NiceAddress) -> Related? {
        var address = address
        guard nice_address_is_valid(&address) != 0 else { return nil }
        var text = [CChar](repeating: 0, count: 64)
        nice_address_to_string(&address, &text)
        let characters = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return Related(
            address: String(decoding: characters, as: UTF8.self),
            port: UInt16(clamping: nice_address_get_port(&address)))
    }
}
