import CUsrsctp
import Primitives
import Reactor

/// The process's one usrsctp: its clock, and the sockets by the numbers that stand for them inside it.
///
/// It runs without threads of its own, so everything happens on the engine: callbacks come from within our calls. They
/// find their socket by number, so one that comes late finds nothing rather than freed memory, and no pointer shows in
/// the cookies that peers see.
@EngineActor
final class SCTPStack {
    static let shared = SCTPStack()

    /// Retransmission times are some hundred milliseconds, so this is fine enough.
    private static let tickLength = Duration.milliseconds(50)
    /// What is due while nothing is said, the heartbeats, has time.
    private static let idleTickLength = Duration.milliseconds(500)
    /// For how long after the last packet acknowledgements and retransmissions may be due.
    private static let busyTime = Duration.seconds(2)

    private var sockets: [UInt: WeakBox<SCTPSocket>] = [:]
    private var lastNumber: UInt = 0
    private var timer: EngineTimer?
    private var lastTick = MonoTime.zero
    private var busyUntil = MonoTime.zero

    private init() {
        usrsctp_init_nothreads(0, writePacket, nil)
        // Of SCTP's extensions data channels need partial reliability and stream reset (RFC 8831, section 6.1): what
        // nobody needs shall be no way in.
        usrsctp_sysctl_set_sctp_ecn_enable(0)
        usrsctp_sysctl_set_sctp_asconf_enable(0)
        usrsctp_sysctl_set_sctp_auth_enable(0)
        usrsctp_sysctl_set_sctp_nrsack_enable(0)
        usrsctp_sysctl_set_sctp_pktdrop_enable(0)
        timer = EngineTimer { [weak self] in self?.tick() }
    }

    /// Gives a socket its number.
    func add(_ socket: SCTPSocket) -> UInt {
        if sockets.isEmpty {
            lastTick = .now()
            wake()
        }
        lastNumber += 1
        sockets[lastNumber] = WeakBox(socket)
        usrsctp_register_address(UnsafeMutableRawPointer(bitPattern: lastNumber))
        return lastNumber
    }

    func remove(_ number: UInt) {
        usrsctp_deregister_address(UnsafeMutableRawPointer(bitPattern: number))
        sockets[number] = nil
        if sockets.isEmpty { timer?.cancel() }
    }

    func socket(_ address: UnsafeMutableRawPointer?) -> SCTPSocket? {
        sockets[UInt(bitPattern: address)]?.value
    }

    /// Packets that the stack found to be none: wrong checksums, verification tags, ports and lengths.
    var malformedPacketCount: UInt32 {
        var counted = sctpstat()
        usrsctp_get_stat(&counted)
        return counted.sctps_hdrops &+ counted.sctps_badsum &+ counted.sctps_badvtag &+ counted.sctps_noport
    }

    /// Brings the clock up to the moment, which has to be done before anything is sent or taken: what is set then would
    /// be due too early; and lets it go on finely for a while.
    func wake() {
        let now = MonoTime.now()
        busyUntil = now + Self.busyTime
        if now - lastTick > Self.tickLength { return tick() }
        let next = now + Self.tickLength
        timer?.arm(at: timer?.deadline.map { min($0, next) } ?? next)
    }

    /// For the callback: a packet for the peer of a socket.
    fileprivate func wrote(_ packet: UnsafeRawBufferPointer, for address: UnsafeMutableRawPointer?) {
        busyUntil = .now() + Self.busyTime
        socket(address)?.wrote(packet)
    }

    private func tick() {
        let now = MonoTime.now()
        let elapsed = (now - lastTick).nanoseconds / 1_000_000
        lastTick = lastTick + .milliseconds(elapsed)
        usrsctp_handle_timers(UInt32(clamping: elapsed))
        for socket in sockets.values { socket.value?.onActivity?() }
        if !sockets.isEmpty { timer?.arm(after: now < busyUntil ? Self.tickLength : Self.idleTickLength) }
    }
}

private func writePacket(
    _ address: UnsafeMutableRawPointer?, _ bytes: UnsafeMutableRawPointer?, _ count: Int, _: UInt8, _: UInt8
) -> Int32 {
    EngineActor.assumeIsolated(with: (address, UnsafeRawBufferPointer(start: bytes, count: count))) { address, packet in
        SCTPStack.shared.wrote(packet, for: address)
    }
    return 0
}
