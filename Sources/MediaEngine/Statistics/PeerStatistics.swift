/// Everything measured of one peer connection, by the names of W3C's `webrtc-stats`: members are those of its
/// dictionaries, and each object carries its `type`, `id` and `timestamp`.
package struct PeerStatistics: Codable, Hashable, Sendable {
    package var inbound: [InboundRTPStatistics] = []
    package var outbound: [OutboundRTPStatistics] = []
    package var remoteInbound: [RemoteInboundRTPStatistics] = []
    package var remoteOutbound: [RemoteOutboundRTPStatistics] = []
    package var candidatePairs: [CandidatePairStatistics] = []
    package var localCandidates: [CandidateStatistics] = []
    package var remoteCandidates: [CandidateStatistics] = []
    package var codecs: [CodecStatistics] = []
    package var transports: [TransportStatistics] = []
    package var dataChannels: [DataChannelStatistics] = []

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case inbound = "inbound-rtp"
        case outbound = "outbound-rtp"
        case remoteInbound = "remote-inbound-rtp"
        case remoteOutbound = "remote-outbound-rtp"
        case candidatePairs = "candidate-pair"
        case localCandidates = "local-candidate"
        case remoteCandidates = "remote-candidate"
        case codecs = "codec"
        case transports = "transport"
        case dataChannels = "data-channel"
    }
}
