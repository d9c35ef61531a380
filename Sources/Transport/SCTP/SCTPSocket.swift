import CUsrsctp
import Glibc
import Primitives
import Reactor

/// One usrsctp socket, whose packets travel by DTLS (RFC 8261) and which has one association.
///
/// What its callbacks bring is collected, since nothing of usrsctp may be called from within them, and is to be taken
/// after each call and on `onActivity`.
@EngineActor
final class SCTPSocket {
    enum Event {
        /// The association is up, with so many streams in both directions.
        case connected(streamCount: UInt16)
        case message(SCTPMessage)
        /// A part came of a message that is longer than any that is taken.
        case messageTooLong(stream: UInt16)
        case incomingReset([UInt16])
        case outgoingReset([UInt16])
        /// The association is over, and the socket of no use any more.
        case ended(String)
    }

    enum Outcome {
        case done
        /// Not now: try again when the peer has acknowledged something.
        case later
        case failed
    }

    /// Time went on: there may be packets and events. Must not hold the socket's owner strongly.
    var onActivity: (@EngineActor () -> Void)?
    private var number: UInt = 0
    private var socket: OpaquePointer?
    private var packets: [[UInt8]] = []
    private var events: [Event] = []

    /// What the stack holds for the peer, unsent or unacknowledged; one whole message must fit.
    private static let sendBufferByteCount: Int32 = 512 * 1024
    /// What the stack holds of the peer, not yet in order or whole. A message is handed over in parts once it fills a
    /// quarter of this, and usrsctp 0.9.5 can forget the last part where packets were lost. So no message that we take
    /// is as long: one that comes in parts is refused.
    private static let receiveBufferByteCount = Int32(4 * SCTPTransport.messageLimit + 4096)

    /// Is ready for the peer at once, and connects to it when told.
    init(localPort: UInt16) throws(TransportError) {
        number = SCTPStack.shared.add(self)
        do throws(TransportError) {
            socket = usrsctp_socket(
                AF_CONN, Int32(SOCK_STREAM.rawValue), Int32(IPPROTO_SCTP), receiveMessage, nil, 0, address)
            guard socket != nil else { throw .usrsctp("usrsctp_socket") }
            try configure()
            try withAddress(port: localPort) { usrsctp_bind(socket, $0, $1) }.check("usrsctp_bind")
        } catch {
            close()
            throw error
        }
    }

    isolated deinit {
        close()
    }

    /// Begins the association. Both sides do: the stack makes one of the two attempts.
    func connect(remotePort: UInt16) throws(TransportError) {
        SCTPStack.shared.wake()
        let result = withAddress(port: remotePort) { usrsctp_connect(socket, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else { throw .usrsctp("usrsctp_connect") }
        // The path is the DTLS session's: its size is known, and probing it would only lose packets.
        var path = sctp_paddrparams()
        withAddress(port: remotePort) { memcpy(&path.spp_address, $0, Int($1)) }
        path.spp_flags = UInt32(SPP_PMTUD_DISABLE)
        path.spp_pathmtu = UInt32(Self.packetByteLimit - MemoryLayout<sctp_common_header>.size)
        try set(SCTP_PEER_ADDR_PARAMS, path)
    }

    /// Takes a packet of the peer.
    func receive(_ packet: [UInt8]) {
        SCTPStack.shared.wake()
        packet.withUnsafeBytes { usrsctp_conninput(address, $0.baseAddress, $0.count, 0) }
    }

    func send(_ message: SCTPMessage) -> Outcome {
        SCTPStack.shared.wake()
        var parameters = sctp_sendv_spa()
        parameters.sendv_flags = UInt32(SCTP_SEND_SNDINFO_VALID)
        parameters.sendv_sndinfo.snd_sid = message.stream
        parameters.sendv_sndinfo.snd_ppid = message.payloadType.rawValue.bigEndian
        parameters.sendv_sndinfo.snd_flags = message.isOrdered ? 0 : UInt16(SCTP_UNORDERED)
        if let policy = sctp_prinfo(message.reliability) {
            parameters.sendv_flags |= UInt32(SCTP_SEND_PRINFO_VALID)
            parameters.sendv_prinfo = policy
        }
        let sent = message.bytes.withUnsafeBytes {
            usrsctp_sendv(
                socket, $0.baseAddress, $0.count, nil, 0, &parameters, socklen_t(MemoryLayout<sctp_sendv_spa>.stride),
                UInt32(SCTP_SENDV_SPA), 0)
        }
        guard sent < 0 else { return .done }
        return errno == EWOULDBLOCK ? .later : .failed
    }

    /// Resets our direction of a stream, behind what was sent on it.
    func reset(stream: UInt16) -> Outcome {
        SCTPStack.shared.wake()
        var request = sctp_reset_streams()
        request.srs_flags = UInt16(SCTP_STREAM_RESET_OUTGOING)
        request.srs_number_streams = 1
        let bytes = withUnsafeBytes(of: request) { [UInt8]($0) } + withUnsafeBytes(of: stream) { [UInt8]($0) }
        let result = usrsctp_setsockopt(
            socket, Int32(IPPROTO_SCTP), SCTP_RESET_STREAMS, bytes, socklen_t(bytes.count))
        guard result != 0 else { return .done }
        return errno == EALREADY || errno == EAGAIN ? .later : .failed
    }

    /// Ends the association with an abort, which is among the packets to take. Idempotent.
    func close() {
        if let socket { usrsctp_close(socket) }
        socket = nil
        if number != 0 { SCTPStack.shared.remove(number) }
        number = 0
    }

    /// The packets to send, which are handed out once.
    func takePackets() -> [[UInt8]] {
        defer { packets.removeAll() }
        return packets
    }

    func takeEvents() -> [Event] {
        defer { events.removeAll() }
        return events
    }

    /// For the stack: a packet for the peer.
    func wrote(_ packet: UnsafeRawBufferPointer) {
        packets.append([UInt8](packet))
    }

    /// For the stack: something has come.
    func took(_ event: Event) {
        events.append(event)
    }
}

extension SCTPSocket {
    /// A packet, protected, must fit the datagrams of a DTLS session, whose records add 37 bytes at most.
    static let packetByteLimit = (datagramMTU - 37) & ~3

    private var address: UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: number)
    }

    private func configure() throws(TransportError) {
        try usrsctp_set_non_blocking(socket, 1).check("usrsctp_set_non_blocking")
        try set(SO_LINGER, level: SOL_SOCKET, linger(l_onoff: 1, l_linger: 0))
        try set(SO_SNDBUF, level: SOL_SOCKET, Self.sendBufferByteCount)
        try set(SO_RCVBUF, level: SOL_SOCKET, Self.receiveBufferByteCount)
        try set(SCTP_PARTIAL_DELIVERY_POINT, Self.receiveBufferByteCount)
        try set(SCTP_NODELAY, Int32(1))
        let streams = DataChannels.streamLimit
        try set(
            SCTP_INITMSG,
            sctp_initmsg(
                sinit_num_ostreams: streams, sinit_max_instreams: streams, sinit_max_attempts: 0,
                sinit_max_init_timeo: 0))
        // Acknowledgements may be 200 ms late; longer than 10 s is longer than it takes to find another path.
        try set(
            SCTP_RTOINFO, sctp_rtoinfo(srto_assoc_id: all, srto_initial: 500, srto_max: 10_000, srto_min: 400))
        try set(
            SCTP_ENABLE_STREAM_RESET,
            sctp_assoc_value(assoc_id: all, assoc_value: UInt32(SCTP_ENABLE_RESET_STREAM_REQ)))
        for event in [SCTP_ASSOC_CHANGE, SCTP_STREAM_RESET_EVENT] {
            try set(SCTP_EVENT, sctp_event(se_assoc_id: all, se_type: UInt16(event), se_on: 1))
        }
    }

    private func set<Value: BitwiseCopyable>(
        _ option: Int32, level: Int32 = Int32(IPPROTO_SCTP), _ value: Value
    ) throws(TransportError) {
        let count = socklen_t(MemoryLayout<Value>.stride)
        let result = withUnsafePointer(to: value) { usrsctp_setsockopt(socket, level, option, $0, count) }
        try result.check("usrsctp_setsockopt \(option)")
    }

    @discardableResult
    private func withAddress<Result>(port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result)
        -> Result
    {
        var name = sockaddr_conn(sconn_family: UInt16(AF_CONN), sconn_port: port.bigEndian, sconn_addr: address)
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_conn>.size))
            }
        }
    }
}

private let all = sctp_assoc_t(SCTP_ALL_ASSOC)

extension sctp_prinfo {
    fileprivate init?(_ reliability: DataChannelOptions.Reliability) {
        switch reliability {
        case .reliable: return nil
        case .retransmissions(let count): self.init(pr_policy: UInt16(SCTP_PR_SCTP_RTX), pr_value: count)
        case .lifetime(let milliseconds): self.init(pr_policy: UInt16(SCTP_PR_SCTP_TTL), pr_value: milliseconds)
        }
    }
}

extension Int32 {
    fileprivate func check(_ function: String) throws(TransportError) {
        guard self == 0 else { throw .usrsctp(function) }
    }
}

extension TransportError {
    /// Takes the reason from `errno`.
    fileprivate static func usrsctp(_ function: String) -> TransportError {
        TransportError(.sctp, "\(function): \(String(cString: strerror(errno)))")
    }
}
