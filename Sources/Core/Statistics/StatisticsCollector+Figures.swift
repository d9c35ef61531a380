import ControlProtocol
import MediaEngine
import Primitives
import Reactor
import SDP
import Signaling
import Transport

/// The figures of one peer.
extension StatisticsCollector {
    func figures(of peer: PeerSession, playout: AudioReceiverStatistics?, at now: MonoTime) -> ParticipantFigures {
        var figures = ParticipantFigures()
        figures.received = received(from: peer, playout: playout, at: now)
        figures.sent = sent(to: peer, at: now)
        figures.video = receivedVideo(from: peer)
        figures.videoSent = sentVideo(to: peer)
        let roundTrip = peer.rtcp.roundTrip.latest ?? peer.transport.statistics.handshakeRoundTrip
        figures.roundTripMs = roundTrip.map { $0.milliseconds.rounded(places: 1) }
        if let playout, peer.media != nil {
            let model = estimate(peer, playout, roundTrip: roundTrip ?? .zero, at: now)
            figures.mos = model.meanOpinionScore.rounded(places: 2)
            figures.quality = grade(peer, rating: min(model.rating, uplinkRating(peer, roundTrip ?? .zero, at: now)))
        }
        return figures
    }

    private func received(
        from peer: PeerSession, playout: AudioReceiverStatistics?, at now: MonoTime
    ) -> StreamFigures? {
        let stream = peer.rtcp.receivers[0]
        guard stream.ssrc != nil else { return nil }
        let window = peer.history.received.window(at: now)
        var figures = StreamFigures()
        figures.lostCount = Int(clamping: stream.counters.lostCount)
        figures.lossPercent = window.lossRatio.map(\.percent)
        figures.lossHistory = peer.history.received.seconds(at: now).map { $0.lossRatio.map(\.percent) ?? -1 }
        figures.latePercent = window.lateRatio.map(\.percent)
        figures.concealedPercent = window.concealedRatio.map(\.percent)
        figures.burstLength = window.meanBurst.map { $0.rounded(places: 1) }
        figures.reorderedCount = Int(clamping: stream.counters.reorderedCount)
        figures.jitterMs = stream.jitterDuration.milliseconds.rounded(places: 1)
        figures.bitrateKbps = (meter(of: peer.member.id).receivedBitsPerSecond / 1000).rounded(places: 1)
        figures.codec = peer.receiving?.codec.rawValue
        guard let playout else { return figures }
        figures.bufferMs = Double(playout.currentDelayMilliseconds).rounded(places: 1)
        figures.bufferTargetMs = Double(playout.targetDelayMilliseconds).rounded(places: 1)
        let lost = playout.packetsLost + playout.packetsRepaired
        if lost > 0 {
            figures.repairedPercent = (Double(playout.packetsRepaired) / Double(lost)).percent
            figures.repairedByCopiesPercent = (Double(playout.packetsRepairedByCopies) / Double(lost)).percent
        }
        return figures
    }

    private func sent(to peer: PeerSession, at now: MonoTime) -> StreamFigures? {
        let stream = peer.rtcp.senders[0]
        guard stream.packetCount > 0 else { return nil }
        var figures = StreamFigures()
        let window = peer.history.sent.window(at: now)
        if let reception = peer.rtcp.remoteReception(of: stream.ssrc) {
            figures.lostCount = Int(reception.packetsLost)
            figures.jitterMs = reception.jitter.milliseconds.rounded(places: 1)
        }
        figures.lossPercent = window.lossRatio.map(\.percent)
        figures.lossHistory = peer.history.sent.seconds(at: now).map { $0.lossRatio.map(\.percent) ?? -1 }
        figures.bitrateKbps = (meter(of: peer.member.id).sentBitsPerSecond / 1000).rounded(places: 1)
        figures.codec = peer.media?.sending.codec.rawValue
        return figures
    }

    private func estimate(
        _ peer: PeerSession, _ playout: AudioReceiverStatistics, roundTrip: Duration, at now: MonoTime
    ) -> EModel {
        let window = peer.history.received.window(at: now)
        let delay =
            roundTrip / 2 + .milliseconds(Int(playout.currentDelayMilliseconds))
            + audio.path.sending.frameDuration
            + audio.report.captureLatency + audio.report.playbackLatency
        return EModel(
            codec: peer.receiving?.codec ?? .opus == .opus ? .opus : .g711, lossRatio: window.concealedRatio ?? 0,
            meanBurst: window.meanBurst ?? 1, delay: delay)
    }

    /// What they may hear of us: the far side tells its losses, not its buffers.
    private func uplinkRating(_ peer: PeerSession, _ roundTrip: Duration, at now: MonoTime) -> Double {
        let loss = peer.history.sent.window(at: now).lossRatio ?? 0
        return EModel(codec: .opus, lossRatio: loss, delay: roundTrip / 2).rating
    }

    private func grade(_ peer: PeerSession, rating: Double) -> Int? {
        var quality = qualities[peer.member.id] ?? NetworkQuality()
        switch peer.link {
        case .connecting: return nil
        case .connected: quality.update(rating: rating)
        case .lost, .restarting, .failed: quality.update(rating: nil)
        }
        qualities[peer.member.id] = quality
        return quality.grade?.rawValue
    }
}
