import CSRTP

/// One direction of SRTP and SRTCP under one master key (RFC 3711), in place in the caller's buffer.
struct SRTPContext: ~Copyable {
    enum Direction {
        case sending
        case receiving
    }

    /// What became of a received packet.
    enum Outcome: Hashable, Sendable {
        /// Authentic and new; the plain packet has this many bytes.
        case plain(Int)
        /// Its tag is wrong: tampered with, or from another key.
        case notAuthentic
        /// Seen before, or too old to tell.
        case replayed
        /// Too short or otherwise no packet.
        case malformed
    }

    /// Packets that the receiver looks back for replays and late arrivals (a video keyframe's worth and more).
    static let windowSize: UInt = 1024
    /// Bytes that protecting may add.
    static let overhead = Int(SRTP_MAX_TRAILER_LEN) + 4

    private static let libraryStatus = srtp_init()
    private let session: srtp_t

    /// `masterKey` is the key followed by the salt, of the profile's lengths.
    init(_ direction: Direction, _ profile: SRTPProfile, masterKey: [UInt8]) throws(TransportError) {
        guard Self.libraryStatus == srtp_err_status_ok else {
            throw TransportError(.srtp, "srtp_init: status \(Self.libraryStatus.rawValue)")
        }
        guard masterKey.count == profile.keyByteCount + profile.saltByteCount else {
            throw TransportError(.srtp, "the SRTP key has \(masterKey.count) bytes")
        }
        var policy = srtp_policy_t()
        profile.configure(&policy.rtp)
        profile.configure(&policy.rtcp)
        policy.ssrc.type = direction == .sending ? ssrc_any_outbound : ssrc_any_inbound
        policy.window_size = Self.windowSize
        policy.allow_repeat_tx = 1
        var key = masterKey
        var session: srtp_t?
        let status = key.withUnsafeMutableBufferPointer { key in
            policy.key = key.baseAddress
            return srtp_create(&session, &policy)
        }
        guard status == srtp_err_status_ok, let session else {
            throw TransportError(.srtp, "srtp_create: status \(status.rawValue)")
        }
        self.session = session
    }

    deinit {
        srtp_dealloc(session)
    }

    /// Protects the RTP packet in the first `count` bytes of `buffer`, which has room for `overhead` more.
    /// Returns the new length, or `nil` when the packet is none or there is no room.
    borrowing func protectRTP(_ buffer: UnsafeMutableRawBufferPointer, count: Int) -> Int? {
        guard count >= 12, let length = Self.room(buffer, count) else { return nil }
        var after = length
        return srtp_protect(session, buffer.baseAddress, &after) == srtp_err_status_ok ? Int(after) : nil
    }

    /// As `protectRTP`, for a (compound or reduced-size) RTCP packet.
    borrowing func protectRTCP(_ buffer: UnsafeMutableRawBufferPointer, count: Int) -> Int? {
        guard count >= 8, let length = Self.room(buffer, count) else { return nil }
        var after = length
        return srtp_protect_rtcp(session, buffer.baseAddress, &after) == srtp_err_status_ok ? Int(after) : nil
    }

    /// Checks and decrypts the SRTP packet that fills `packet`.
    borrowing func unprotectRTP(_ packet: UnsafeMutableRawBufferPointer) -> Outcome {
        guard packet.count >= 12, var length = Int32(exactly: packet.count) else { return .malformed }
        return Self.outcome(srtp_unprotect(session, packet.baseAddress, &length), length)
    }

    /// Checks and decrypts the SRTCP packet that fills `packet`.
    borrowing func unprotectRTCP(_ packet: UnsafeMutableRawBufferPointer) -> Outcome {
        guard packet.count >= 12, var length = Int32(exactly: packet.count) else { return .malformed }
        return Self.outcome(srtp_unprotect_rtcp(session, packet.baseAddress, &length), length)
    }

    private static func room(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int) -> Int32? {
        buffer.count - count >= overhead ? Int32(exactly: count) : nil
    }

    private static func outcome(_ status: srtp_err_status_t, _ length: Int32) -> Outcome {
        switch status {
        case srtp_err_status_ok: .plain(Int(length))
        case srtp_err_status_auth_fail, srtp_err_status_cipher_fail: .notAuthentic
        case srtp_err_status_replay_fail, srtp_err_status_replay_old: .replayed
        default: .malformed
        }
    }
}
