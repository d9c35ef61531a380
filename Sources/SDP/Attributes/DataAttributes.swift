/// Data channels in a description (RFC 8841).
extension MediaSection {
    static let dataChannelFormat = "webrtc-datachannel"
    static let dataChannelProfiles = ["UDP/DTLS/SCTP", "TCP/DTLS/SCTP"]
    /// The form before RFC 8841, which aiortc offers to this day: the format is the port, and `a=sctpmap` says its use.
    static let numberedDataChannelProfile = "DTLS/SCTP"

    /// The section is for data channels.
    package var isDataChannel: Bool {
        guard kind == .application else { return false }
        if profile == Self.numberedDataChannelProfile { return sctpPort != nil }
        return Self.dataChannelProfiles.contains(profile) && formats == [Self.dataChannelFormat]
    }

    /// The port of the SCTP association, which is none of UDP's (RFC 8841, section 5).
    package var sctpPort: UInt16? {
        guard profile == Self.numberedDataChannelProfile else { return Self.port(value(of: "sctp-port")) }
        let words = value(of: "sctpmap")?.split(separator: " ").map(String.init) ?? []
        guard words.count > 1, formats == [words[0]], words[1] == Self.dataChannelFormat else { return nil }
        return Self.port(words[0])
    }

    private static func port<Text: StringProtocol>(_ text: Text?) -> UInt16? {
        text.flatMap { decimal($0, as: UInt16.self) }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// Bytes that a message to the describing side may have: 64 KiB where it does not say, any number where it says 0
    /// (RFC 8841, section 6).
    package var maximumMessageSize: Int {
        let stated = value(of: "max-message-size").flatMap { decimal($0, as: UInt64.self) }
        guard let stated else { return 65_536 }
        return stated == 0 ? .max : Int(clamping: stated)
    }
}
