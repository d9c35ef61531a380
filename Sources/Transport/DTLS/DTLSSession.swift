import COpenSSL
import Primitives

/// One DTLS association that yields SRTP keys (RFC 5764) and carries data: datagrams in, datagrams and a state out.
///
/// A machine but for one thing: OpenSSL reads the real clock for its retransmission timer, so `timeLeft` is relative to
/// now. The peer's certificate is checked against the signalled fingerprints within the handshake: a stranger gets the
/// alert `bad_certificate` (RFC 8122, section 6.2), and neither side any keys.
final class DTLSSession {
    /// Who sends the first flight (RFC 5763, section 5: `active` is the client).
    typealias Role = DTLSRole

    enum State: Equatable {
        /// Not complete. A server is here until the client's first flight comes.
        case handshaking
        /// The peer is who signalling promised, and media may flow.
        case connected(SRTPKeys)
        /// Ended by a close_notify of either side.
        case closed
        case failed(TransportError)
    }

    let role: Role
    private(set) var state = State.handshaking
    /// Flights sent again because the answer was late.
    private(set) var retransmissionCount = 0
    private let ssl: OpaquePointer
    private let fingerprints: [DTLSFingerprint]
    private var outgoing: [[UInt8]] = []
    private var data: [[UInt8]] = []
    private var incoming: UnsafeRawBufferPointer?
    /// Whether the peer's certificate is one that signalling named; `nil`: it has shown none.
    private var isPromised: Bool?

    /// A session that presents `identity` and accepts a peer whose certificate has one of `fingerprints`.
    /// `profiles` in the order of preference; the server's order decides.
    init(
        _ role: Role, identity: DTLSIdentity, fingerprints: [DTLSFingerprint],
        profiles: [SRTPProfile] = [.aeadAES128GCM, .aes128CMSHA1Tag80]
    ) throws(TransportError) {
        self.role = role
        self.fingerprints = fingerprints
        let context = try Self.makeContext(identity, profiles)
        defer { SSL_CTX_free(context) }
        guard let ssl = SSL_new(context) else { throw .openSSL(.dtls, "SSL_new") }
        self.ssl = ssl
        guard let method = datagramBIOMethod, let bio = BIO_new(method) else { throw .openSSL(.dtls, "BIO_new") }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_bio(ssl, bio, bio)
        SSL_ctrl(ssl, SSL_CTRL_SET_MTU, datagramMTU, nil)
        DTLS_set_timer_cb(ssl, nextTimeout)
        if role == .client {
            SSL_set_connect_state(ssl)
        } else {
            SSL_set_accept_state(ssl)
        }
    }

    deinit {
        SSL_free(ssl)
    }

    /// Begins: a client makes its first flight.
    func start() {
        guard state == .handshaking else { return }
        handshake()
    }

    /// Takes one datagram, which need be valid only during the call.
    func receive(_ datagram: UnsafeRawBufferPointer) {
        incoming = datagram
        defer { incoming = nil }
        switch state {
        case .handshaking: handshake()
        case .connected: drain()
        case .closed, .failed: break
        }
    }

    /// How long until `handleTimeout()` is due; `nil`: no timer runs.
    var timeLeft: Duration? {
        guard state == .handshaking else { return nil }
        var left = timeval()
        guard SSL_ctrl(ssl, DTLS_CTRL_GET_TIMEOUT, 0, &left) == 1 else { return nil }
        return .seconds(left.tv_sec) + .microseconds(Int(left.tv_usec))
    }

    /// Sends the last flight again if its time has come.
    func handleTimeout() {
        guard state == .handshaking else { return }
        ERR_clear_error()
        let result = SSL_ctrl(ssl, DTLS_CTRL_HANDLE_TIMEOUT, 0, nil)
        if result < 0 { state = .failed(.openSSL(.dtls, "no answer to the DTLS handshake")) }
    }

    /// Protects `data`, which must fit one datagram; `false`: there is no association, or it failed.
    func send(_ data: [UInt8]) -> Bool {
        guard case .connected = state else { return false }
        ERR_clear_error()
        return SSL_write(ssl, data, Int32(clamping: data.count)) == data.count
    }

    /// What the peer has sent inside the association, record by record, which is handed out once.
    func takeData() -> [[UInt8]] {
        defer { data.removeAll() }
        return data
    }

    /// Sends close_notify.
    func close() {
        if case .connected = state {
            ERR_clear_error()
            _ = SSL_shutdown(ssl)
        }
        if state != .closed, !isFailed { state = .closed }
    }

    /// The datagrams to send, in order, which are handed out once.
    func takeOutgoing() -> [[UInt8]] {
        defer { outgoing.removeAll() }
        return outgoing
    }

    /// The version, as in webrtc-stats: `FEFD` is DTLS 1.2.
    var version: String {
        String(UInt32(bitPattern: SSL_version(ssl)), radix: 16, uppercase: true)
    }

    /// The cipher suite's IETF name, `nil` before there is one.
    var cipher: String? {
        guard let cipher = SSL_get_current_cipher(ssl), let name = SSL_CIPHER_standard_name(cipher) else { return nil }
        return String(cString: name)
    }

    private var isFailed: Bool {
        if case .failed = state { true } else { false }
    }
}

extension DTLSSession {
    /// For the timer: a flight is sent again, by `handleTimeout()` or because OpenSSL found its timer run out.
    func countRetransmission() {
        retransmissionCount += 1
    }

    /// For the BIO: OpenSSL sends a datagram.
    func write(_ datagram: UnsafeRawBufferPointer) {
        outgoing.append([UInt8](datagram))
    }

    /// For the BIO: OpenSSL wants a datagram. Returns its length, `nil` when none waits.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let datagram = incoming else { return nil }
        incoming = nil
        let count = min(buffer.count, datagram.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: datagram[..<count]))
        return count
    }

    /// For OpenSSL: whether the peer is who signalling promised.
    func accepts(_ certificate: OpaquePointer) -> Bool {
        let isOne = fingerprints.contains { DTLSFingerprint(of: certificate, hash: $0.hash) == $0 }
        isPromised = isOne
        return isOne
    }

    private func handshake() {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        guard result != 1 else { return finish() }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
        default: state = .failed(isPromised == false ? .stranger : .openSSL(.dtls, "the DTLS handshake failed"))
        }
    }

    private func finish() {
        do throws(TransportError) {
            guard isPromised == true else { throw TransportError.stranger }
            state = .connected(try exportKeys())
            drain()
        } catch {
            state = .failed(error)
            _ = SSL_shutdown(ssl)
        }
    }

    private func exportKeys() throws(TransportError) -> SRTPKeys {
        // Without this check a handshake with no common profile looks like success and carries no media.
        guard let selected = SSL_get_selected_srtp_profile(ssl),
            let profile = SRTPProfile(rawValue: selected.pointee.id)
        else { throw TransportError(.noCommonProfile, "the peer and hoot have no SRTP profile in common") }
        var exported = [UInt8](repeating: 0, count: SRTPKeys.exportedByteCount(profile))
        let label = "EXTRACTOR-dtls_srtp"
        ERR_clear_error()
        guard
            SSL_export_keying_material(ssl, &exported, exported.count, label, label.utf8.count, nil, 0, 0) == 1,
            let keys = SRTPKeys(profile, exported: exported, isClient: role == .client)
        else { throw .openSSL(.dtls, "SSL_export_keying_material") }
        return keys
    }

    /// Works off records behind the handshake: alerts and application data.
    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 16) { buffer in
            while true {
                ERR_clear_error()
                let count = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
                guard count <= 0 else {
                    data.append([UInt8](buffer[..<Int(count)]))
                    continue
                }
                switch SSL_get_error(ssl, count) {
                case SSL_ERROR_ZERO_RETURN: state = .closed
                case SSL_ERROR_SSL: state = .failed(.openSSL(.dtls, "the DTLS association failed"))
                default: break
                }
                return
            }
        }
    }

    private static func makeContext(
        _ identity: DTLSIdentity, _ profiles: [SRTPProfile]
    ) throws(TransportError) -> OpaquePointer {
        ERR_clear_error()
        guard let context = SSL_CTX_new(DTLS_method()) else { throw .openSSL(.dtls, "SSL_CTX_new") }
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(DTLS1_2_VERSION), nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_set_options(context, contextOptions)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_cert_verify_callback(context, verifyCertificate, nil)
        let names = profiles.map(\.name).joined(separator: ":")
        guard identity.install(in: context),
            SSL_CTX_set_cipher_list(context, ciphers) == 1,
            SSL_CTX_set_tlsext_use_srtp(context, names) == 0
        else {
            SSL_CTX_free(context)
            throw .openSSL(.dtls, "SSL_CTX set-up")
        }
        return context
    }
}

/// `SSL_OP_NO_QUERY_MTU`, `SSL_OP_NO_TICKET` and `SSL_OP_NO_RENEGOTIATION`, which are macros.
private let contextOptions: UInt64 = 1 << 12 | 1 << 14 | 1 << 30

/// What browsers offer, forward secret and authenticated (RFC 8827, section 6.5).
private let ciphers = [
    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-RSA-CHACHA20-POLY1305", "ECDHE-ECDSA-AES256-GCM-SHA384",
].joined(separator: ":")

/// Certificates are self-signed: the fingerprint alone decides, and the handshake proves possession of the key.
private func verifyCertificate(_ store: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()).map { OpaquePointer($0) }
    guard let session = dtlsSession(of: SSL_get_rbio(ssl)), let certificate = X509_STORE_CTX_get0_cert(store),
        session.accepts(certificate)
    else {
        X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
        return 0
    }
    return 1
}

extension TransportError {
    fileprivate static let stranger = TransportError(
        .fingerprint, "the peer's certificate is not the one that signalling named: somebody is in between")
}

/// 50 ms at first, then doubling to 1.6 s: the path's answers are an ICE check's round trip away, not the second that
/// RFC 6347 starts with.
private func nextTimeout(_ ssl: OpaquePointer?, _ previous: UInt32) -> UInt32 {
    guard previous > 0 else { return 50_000 }
    dtlsSession(of: SSL_get_rbio(ssl))?.countRetransmission()
    return min(previous &* 2, 1_600_000)
}
