import ControlProtocol
import Foundation
import MediaEngine
import Primitives
import RTP
import Reactor
import SDP
import Signaling
import Transport

/// The statistics of one peer by their W3C names, and as text.
extension StatisticsCollector {
    func w3c(of peer: PeerSession, playout: AudioReceiverStatistics?) -> PeerStatistics {
        let now = Date().timeIntervalSince1970 * 1000
        var all = PeerStatistics()
        all.inbound = inbound(of: peer, playout, now)
        var outbound = OutboundRTPStatistics(
            id: "out-audio", timestamp: now, ssrc: peer.rtcp.senders[0].ssrc.rawValue, kind: "audio")
        outbound.apply(peer.rtcp.senders[0])
        outbound.active = peer.media?.direction.sends
        outbound.codecId = peer.media.map { Self.id(of: $0.sending) }
        outbound.transportId = "transport"
        all.outbound = [outbound]
        if let reception = peer.rtcp.remoteReception(of: peer.rtcp.senders[0].ssrc) {
            var remote = RemoteInboundRTPStatistics(
                id: "remote-in-audio", timestamp: now, ssrc: peer.rtcp.senders[0].ssrc.rawValue, kind: "audio")
            remote.apply(reception, peer.rtcp.roundTrip)
            all.remoteInbound = [remote]
        }
        all.codecs = Set([peer.media?.sending, peer.receiving].compactMap { $0 }).map { codec($0, now) }
        addVideo(of: peer, to: &all, now)
        addTransport(of: peer, to: &all, now)
        if peer.transport.data != nil { all.dataChannels = [chat(of: peer, now)] }
        return all
    }

    private func chat(of peer: PeerSession, _ now: Double) -> DataChannelStatistics {
        var chat = DataChannelStatistics(
            id: "chat", timestamp: now, label: PeerSession.chatOptions.label,
            dataChannelIdentifier: PeerSession.chatID.rawValue, state: peer.canChat ? "open" : "closed")
        let discardedCount = peer.chat.malformedCount + peer.chat.droppedCount
        chat.messagesSent = UInt32(clamping: peer.chatSent.count)
        chat.bytesSent = UInt64(clamping: peer.chatSent.byteCount)
        chat.messagesReceived = UInt32(clamping: peer.chat.receivedCount + discardedCount)
        chat.bytesReceived = UInt64(clamping: peer.chat.byteCount)
        chat.messagesDiscarded = UInt32(clamping: discardedCount)
        return chat
    }

    /// The `statsString` of a peer (Q65).
    func text(of peer: PeerSession) -> String {
        let meter = meter(of: peer.member.id)
        var text = StatsText()
        if let pair = peer.transport.statistics.selectedPair {
            text.connection = StatsText.Connection(
                roundTrip: peer.rtcp.roundTrip.latest, localType: CandidateType(pair.local.kind),
                remoteType: CandidateType(pair.remote.kind), transport: "udp",
                sentBitsPerSecond: meter.transportSentBitsPerSecond,
                receivedBitsPerSecond: meter.transportReceivedBitsPerSecond)
        }
        guard let media = peer.media else { return text.text }
        let reception = peer.rtcp.remoteReception(of: peer.rtcp.senders[0].ssrc)
        text.audioSent = StatsText.AudioSent(
            bitsPerSecond: meter.sentBitsPerSecond, codec: media.sending.codec.rawValue,
            packetsLost: Int64(reception?.packetsLost ?? 0))
        let playout = playout(of: peer) ?? AudioReceiverStatistics()
        text.audioReceived = StatsText.AudioReceived(
            bitsPerSecond: meter.receivedBitsPerSecond, codec: (peer.receiving ?? media.sending).codec.rawValue,
            delay: .milliseconds(Int(playout.currentDelayMilliseconds)), expandRate: Double(playout.expandRate),
            packetsLost: peer.rtcp.receivers[0].counters.lostCount)
        addVideo(of: peer, to: &text)
        return text.text
    }

    private func inbound(of peer: PeerSession, _ playout: AudioReceiverStatistics?, _ now: Double)
        -> [InboundRTPStatistics]
    {
        guard let ssrc = peer.rtcp.receivers[0].ssrc else { return [] }
        var inbound = InboundRTPStatistics(id: "in-audio", timestamp: now, ssrc: ssrc.rawValue, kind: "audio")
        inbound.apply(peer.rtcp.receivers[0])
        if let playout { inbound.apply(playout) }
        inbound.estimatedPlayoutTimestamp = peer.estimatedPlayout(presentation(of: peer), of: 0, at: .now())
        inbound.codecId = peer.receiving.map { Self.id(of: $0) }
        inbound.transportId = "transport"
        inbound.mid = peer.media?.mid?.rawValue
        return [inbound]
    }

    private static func id(of format: AudioParameters.Format) -> String {
        "codec-\(format.codec.rawValue)-\(format.payloadType.rawValue)"
    }

    private func codec(_ format: AudioParameters.Format, _ now: Double) -> CodecStatistics {
        var codec = CodecStatistics(
            id: Self.id(of: format), timestamp: now, payloadType: format.payloadType.rawValue,
            transportId: "transport", mimeType: "audio/\(format.codec.rawValue)")
        codec.clockRate = format.codec.clockRateHz
        codec.channels = format.codec == .opus ? 2 : 1
        return codec
    }

    private func addTransport(of peer: PeerSession, to all: inout PeerStatistics, _ now: Double) {
        let source = peer.transport.statistics
        var transport = MediaEngine.TransportStatistics(
            id: "transport", timestamp: now, dtlsState: source.dtlsState.rawValue)
        transport.packetsSent = source.packetsSent
        transport.packetsReceived = source.packetsReceived
        transport.bytesSent = source.bytesSent
        transport.bytesReceived = source.bytesReceived
        transport.iceRole = source.isControlling ? "controlling" : "controlled"
        transport.iceState = source.iceState.rawValue
        transport.tlsVersion = source.tlsVersion
        transport.dtlsCipher = source.dtlsCipher
        transport.srtpCipher = source.srtpCipher
        transport.setUpTime = source.setUpTime?.seconds
        transport.dtlsRole = source.dtlsRole.map { $0 == .client ? "client" : "server" }
        if let pair = source.selectedPair {
            transport.selectedCandidatePairId = "pair"
            var local = candidate(pair.local, isLocal: true, now)
            local.relayProtocol = pair.relay?.transport.rawValue
            local.url = pair.relay?.description
            all.localCandidates = [local]
            all.remoteCandidates = [candidate(pair.remote, isLocal: false, now)]
            var statistics = CandidatePairStatistics(
                id: "pair", timestamp: now, localCandidateId: "local", remoteCandidateId: "remote",
                state: "succeeded")
            statistics.nominated = true
            statistics.currentRoundTripTime = peer.rtcp.roundTrip.latest?.seconds
            all.candidatePairs = [statistics]
        }
        all.transports = [transport]
    }

    private func candidate(_ source: ICECandidate, isLocal: Bool, _ now: Double) -> CandidateStatistics {
        var candidate = CandidateStatistics(
            isLocal: isLocal, id: isLocal ? "local" : "remote", timestamp: now, transportId: "transport",
            candidateType: CandidateType(source.kind))
        candidate.address = source.address
        candidate.port = Int(source.port)
        candidate.protocol = "udp"
        return candidate
    }
}

extension CandidateType {
    init(_ kind: ICECandidate.Kind) {
        self =
            switch kind {
            case .host: .host
            case .serverReflexive: .serverReflexive
            case .peerReflexive: .peerReflexive
            case .relayed: .relayed
            }
    }
}
