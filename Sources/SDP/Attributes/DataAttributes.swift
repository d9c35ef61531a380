/// Data channels in a description (RFC 8841).
extension MediaSection {
    static let dataChannelFormat = "webrtc-datachannel"
    static let dataChannelProfiles = ["UDP/DTLS/SCTP", "TCP/DTLS/SCTP"]

    /// The section is for data channels, in the form of RFC 8841; older ones number their format.
    package var isDataChannel: Bool {
        kind == .application && Self.dataChannelProfiles.contains(profile) && formats == [Self.dataChannelFormat]
    }

    /// The port of the SCTP association, which is none of UDP's (RFC 8841, section 5).
    package var sctpPort: UInt16? {
        value(of: "sctp-port").flatMap { decimal($0, as: UInt16.self) }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// Bytes that a message to the describing side may have: 64 KiB where it does not say, any number where it says 0
    /// (RFC 8841, section 6).
    package var maximumMessageSize: Int {
        let stated = value(of: "max-message-size").flatMap { decimal($0, as: UInt64.self) }
        guard let stated else { return 65_536 }
        return stated == 0 ? .max : Int(clamping: stated)
    }
}
