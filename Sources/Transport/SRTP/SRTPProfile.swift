import COpenSSL
import CSRTP

/// The protection profiles that are offered, by their numbers in the `use_srtp` extension (RFC 5764, RFC 7714).
package enum SRTPProfile: UInt, CaseIterable, Sendable {
    case aes128CMSHA1Tag80 = 0x0001
    case aeadAES128GCM = 0x0007

    /// The registered name, which is also the name in webrtc-stats.
    package var name: String {
        switch self {
        case .aes128CMSHA1Tag80: "SRTP_AES128_CM_SHA1_80"
        case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
        }
    }

    var keyByteCount: Int {
        16
    }

    var saltByteCount: Int {
        switch self {
        case .aes128CMSHA1Tag80: 14
        case .aeadAES128GCM: 12
        }
    }

    func configure(_ policy: inout srtp_crypto_policy_t) {
        switch self {
        case .aes128CMSHA1Tag80: srtp_crypto_policy_set_rtp_default(&policy)
        case .aeadAES128GCM: srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy)
        }
    }
}

/// The master keys of one association: what the DTLS exporter gave (RFC 5764, section 4.2), put in our terms.
struct SRTPKeys: Equatable, Sendable {
    var profile: SRTPProfile
    /// Key, then salt, for what this side sends.
    var sending: [UInt8]
    /// Key, then salt, for what the peer sends.
    var receiving: [UInt8]

    /// Bytes to export: both keys and both salts.
    static func exportedByteCount(_ profile: SRTPProfile) -> Int {
        2 * (profile.keyByteCount + profile.saltByteCount)
    }

    /// Cuts `exported` (client key, server key, client salt, server salt), or `nil` when its length is wrong.
    init?(_ profile: SRTPProfile, exported: [UInt8], isClient: Bool) {
        guard exported.count == Self.exportedByteCount(profile) else { return nil }
        let (key, salt) = (profile.keyByteCount, profile.saltByteCount)
        let client = Array(exported[..<key] + exported[(2 * key)..<(2 * key + salt)])
        let server = Array(exported[key..<(2 * key)] + exported[(2 * key + salt)...])
        self.profile = profile
        sending = isClient ? client : server
        receiving = isClient ? server : client
    }
}
