import ControlProtocol
import Devices
import MediaEngine
import Primitives
import RTP
import Reactor
import SDP
import Signaling

/// The figures of one peer's pictures.
extension StatisticsCollector {
    func measureVideo(_ peer: PeerSession, with meter: inout VideoMeter, at now: MonoTime) {
        guard let sender = peer.video, peer.rtcp.senders.count > PeerSession.videoStream else { return }
        var received = VideoMeter.Counters()
        received.framesIn = sender.receiver.counters.framesReceived
        received.payloadByteCount = UInt64(
            clamping: peer.rtcp.receivers[PeerSession.videoStream].counters.payloadByteCount)
        if let decoded = video.decoded(of: peer.member.id) {
            received.framesOut = decoded.freezes.framesShown
            received.framesCoded = UInt64(decoded.framesDecoded)
            received.qpSum = UInt64(decoded.qpSum)
            received.codecTime = decoded.totalDecodeTime
        }
        var sent = VideoMeter.Counters()
        sent.framesOut = sender.sender.counters.framesSent
        sent.payloadByteCount = peer.rtcp.senders[PeerSession.videoStream].payloadByteCount
        if let encoded = sender.layer.flatMap({ video.encoded($0) }) {
            sent.framesIn = UInt64(encoded.framesCaptured)
            sent.framesCoded = UInt64(encoded.framesEncoded)
            sent.qpSum = UInt64(encoded.qpSum)
            sent.codecTime = encoded.totalEncodeTime
        }
        meter.measure(received: received, sent: sent, at: now)
    }

    /// What comes from there; `nil`: no picture does.
    func receivedVideo(from peer: PeerSession) -> VideoFigures? {
        guard let video = peer.video, let decoded = self.video.decoded(of: peer.member.id) else { return nil }
        let rates = videoMeter(of: peer.member.id).received
        let stream = peer.rtcp.receivers[PeerSession.videoStream]
        var figures = Self.figures(rates)
        figures.width = decoded.size?.width
        figures.height = decoded.size?.height
        figures.freezeCount = Int(clamping: decoded.freezes.freezeCount)
        figures.freezeSeconds = decoded.freezes.totalFreezesDuration.seconds.rounded(places: 1)
        figures.keyFrames = decoded.keyFrames
        figures.nackCount = Int(clamping: video.receiver.counters.nackCount)
        figures.retransmittedCount = Int(clamping: video.receiver.counters.retransmittedPacketCount)
        figures.pliCount = Int(clamping: video.receiver.counters.pliCount + video.receiver.counters.firCount)
        figures.lostCount = Int(clamping: stream.counters.lostCount)
        figures.codec = video.receiver.codec?.rawValue
        return figures
    }

    /// What goes there; `nil`: no picture does.
    func sentVideo(to peer: PeerSession) -> VideoFigures? {
        guard let video = peer.video, let layer = video.layer, let encoded = self.video.encoded(layer) else {
            return nil
        }
        var figures = Self.figures(videoMeter(of: peer.member.id).sent)
        figures.width = encoded.size?.width
        figures.height = encoded.size?.height
        figures.targetKbps = ((self.video.targetBitrate(of: layer) ?? video.availableBitrate) / 1000).rounded(places: 1)
        figures.keyFrames = encoded.keyFrames
        figures.nackCount = Int(clamping: video.sender.counters.nackCount)
        figures.retransmittedCount = Int(clamping: video.sender.counters.retransmittedPacketCount)
        let stream = peer.rtcp.senders[PeerSession.videoStream]
        figures.pliCount = Int(clamping: stream.pictureLossCount + stream.intraRequestCount)
        let reception = peer.rtcp.remoteReception(of: stream.ssrc)
        figures.lostCount = reception.map { Int($0.packetsLost) }
        figures.codec = video.sender.configuration.codec.rawValue
        return figures
    }

    private static func figures(_ rates: VideoMeter.Rates) -> VideoFigures {
        var figures = VideoFigures()
        figures.framesPerSecond = rates.framesOut.rounded(places: 1)
        figures.framesPerSecondIn = rates.framesIn.rounded(places: 1)
        figures.bitrateKbps = (rates.bitsPerSecond / 1000).rounded(places: 1)
        figures.averageQP = rates.averageQP.map { $0.rounded(places: 1) }
        figures.codecMs = rates.codecTime.map { $0.milliseconds.rounded(places: 1) }
        return figures
    }

    /// The VS and VR lines (Q67–Q70).
    func addVideo(of peer: PeerSession, to text: inout StatsText) {
        let meter = videoMeter(of: peer.member.id)
        if let figures = sentVideo(to: peer), let width = figures.width, let height = figures.height {
            let given = video.capture?.status.given
            let rate = meter.sent
            text.videoSent = StatsText.VideoSent(
                input: .init(
                    width: given?.size.width ?? width, height: given?.size.height ?? height,
                    framesPerSecond: Int(rate.framesIn.rounded())),
                sent: .init(width: width, height: height, framesPerSecond: Int(rate.framesOut.rounded())),
                encodedBitsPerSecond: rate.bitsPerSecond,
                targetBitsPerSecond: peer.video.flatMap(\.layer).flatMap(video.targetBitrate(of:)) ?? 0,
                sentBitsPerSecond: rate.bitsPerSecond, availableBitsPerSecond: peer.video?.availableBitrate ?? 0,
                encodeTime: rate.codecTime ?? .zero, codec: (figures.codec ?? "").uppercased(),
                quantizer: rate.averageQP.map { .init(frameCount: rate.framesCoded, mean: Int($0.rounded())) },
                packetsLost: Int64(figures.lostCount ?? 0))
        }
        if let figures = receivedVideo(from: peer), let width = figures.width, let height = figures.height {
            let rate = meter.received
            text.videoReceived = StatsText.VideoReceived(
                received: .init(width: width, height: height, framesPerSecond: Int(rate.framesIn.rounded())),
                decodedFramesPerSecond: rate.framesCoded, outputFramesPerSecond: Int(rate.framesOut.rounded()),
                bitsPerSecond: rate.bitsPerSecond, availableBitsPerSecond: 0, decodeTime: rate.codecTime ?? .zero,
                packetsLost: Int64(figures.lostCount ?? 0))
        }
    }

    /// The streams of pictures by their W3C names.
    func addVideo(of peer: PeerSession, to all: inout PeerStatistics, _ now: Double) {
        guard let video = peer.video else { return }
        let stream = peer.rtcp.receivers[PeerSession.videoStream]
        if let ssrc = stream.ssrc {
            var inbound = InboundRTPStatistics(id: "in-video", timestamp: now, ssrc: ssrc.rawValue, kind: "video")
            inbound.apply(stream)
            inbound.apply(video.receiver.counters)
            inbound.estimatedPlayoutTimestamp = peer.estimatedPlayout(
                video.presentation, of: PeerSession.videoStream, at: .now())
            inbound.transportId = "transport"
            inbound.mid = video.parameters.mid?.rawValue
            if let decoded = self.video.decoded(of: peer.member.id) {
                inbound.apply(decoded.freezes)
                inbound.frameWidth = decoded.size?.width
                inbound.frameHeight = decoded.size?.height
                inbound.framesDecoded = UInt64(decoded.framesDecoded)
                inbound.keyFramesDecoded = UInt64(decoded.keyFrames)
                inbound.qpSum = UInt64(decoded.qpSum)
                inbound.totalDecodeTime = decoded.totalDecodeTime.seconds
            }
            all.inbound.append(inbound)
        }
        let own = peer.rtcp.senders[PeerSession.videoStream]
        var outbound = OutboundRTPStatistics(id: "out-video", timestamp: now, ssrc: own.ssrc.rawValue, kind: "video")
        outbound.apply(own)
        outbound.apply(video.sender.counters)
        outbound.active = video.layer != nil
        outbound.transportId = "transport"
        if let encoded = video.layer.flatMap({ self.video.encoded($0) }) {
            outbound.framesEncoded = UInt64(encoded.framesEncoded)
            outbound.keyFramesEncoded = UInt64(encoded.keyFrames)
            outbound.qpSum = UInt64(encoded.qpSum)
            outbound.totalEncodeTime = encoded.totalEncodeTime.seconds
        }
        all.outbound.append(outbound)
    }
}
