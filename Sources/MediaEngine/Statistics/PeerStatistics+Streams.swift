import Primitives
import RTP

extension InboundRTPStatistics {
    /// Takes over what the stream has counted.
    package mutating func apply(_ stream: RTPReceiveStream) {
        packetsReceived = UInt64(clamping: stream.counters.receivedCount)
        packetsLost = stream.counters.lostCount
        bytesReceived = UInt64(clamping: stream.counters.payloadByteCount)
        jitter = stream.jitterDuration.seconds
    }

    /// Takes over what the jitter buffer has counted. Loss and jitter stay those of the network.
    package mutating func apply(_ playout: AudioReceiverStatistics) {
        packetsDiscarded = playout.packetsDiscarded
        fecPacketsReceived = playout.fecPacketsReceived
        jitterBufferDelay = playout.jitterBufferDelaySeconds
        jitterBufferTargetDelay = playout.jitterBufferTargetDelaySeconds
        jitterBufferEmittedCount = playout.jitterBufferEmittedCount
        totalSamplesReceived = playout.totalSamplesReceived
        concealedSamples = playout.concealedSamples
        silentConcealedSamples = playout.silentConcealedSamples
        concealmentEvents = playout.concealmentEvents
        insertedSamplesForDeceleration = playout.insertedSamplesForDeceleration
        removedSamplesForAcceleration = playout.removedSamplesForAcceleration
        audioLevel = amplitude(decibels: Double(playout.levelDBov))
        totalSamplesDuration = Double(playout.totalSamplesReceived) / Double(AudioFormat.rateHz)
    }
}

extension InboundRTPStatistics {
    /// Takes over what has been put together.
    package mutating func apply(_ video: VideoReceiverCounters) {
        framesReceived = video.framesReceived
        framesDropped = video.framesDropped
        framesAssembledFromMultiplePackets = video.framesAssembledFromMultiplePackets
        totalAssemblyTime = video.totalAssemblyTime.seconds
        jitterBufferDelay = video.jitterBufferDelay.seconds
        jitterBufferEmittedCount = video.framesReleased
        nackCount = UInt32(clamping: video.nackCount)
        pliCount = video.pliCount
        firCount = video.firCount
        packetsDiscarded = video.discardedPacketCount
        retransmittedPacketsReceived = video.retransmittedPacketCount
        retransmittedBytesReceived = video.retransmittedByteCount
    }

    /// Takes over how evenly pictures were shown.
    package mutating func apply(_ shown: FreezeMetrics) {
        framesRendered = shown.framesShown
        framesDropped = (framesDropped ?? 0) + shown.framesDropped
        totalInterFrameDelay = shown.totalInterFrameDelay
        totalSquaredInterFrameDelay = shown.totalSquaredInterFrameDelay
        freezeCount = shown.freezeCount
        totalFreezesDuration = shown.totalFreezesDuration.seconds
        pauseCount = shown.pauseCount
        totalPausesDuration = shown.totalPausesDuration.seconds
    }
}

extension OutboundRTPStatistics {
    /// Takes over what has been cut into packets.
    package mutating func apply(_ video: VideoSenderCounters) {
        framesSent = video.framesSent
        hugeFramesSent = video.hugeFramesSent
        framesLeftOut = video.framesLeftOut
        nackCount = UInt32(clamping: video.nackCount)
        frameWidth = video.frameSize?.width
        frameHeight = video.frameSize?.height
        retransmittedPacketsSent = video.retransmittedPacketCount
        retransmittedBytesSent = video.retransmittedByteCount
    }

    /// Takes over what the stream has counted.
    package mutating func apply(_ stream: RTPSendStream) {
        packetsSent = stream.packetCount
        bytesSent = stream.payloadByteCount
        headerBytesSent = stream.headerByteCount
        guard kind == "video" else { return }
        pliCount = stream.pictureLossCount
        firCount = stream.intraRequestCount
    }
}

extension RemoteInboundRTPStatistics {
    /// Takes over what the peer has reported.
    package mutating func apply(_ reception: RemoteReception, _ roundTrip: RoundTripTimer) {
        packetsLost = Int64(reception.packetsLost)
        fractionLost = reception.fractionLost
        jitter = reception.jitter.seconds
        roundTripTime = roundTrip.latest?.seconds
        totalRoundTripTime = roundTrip.total.seconds
        roundTripTimeMeasurements = roundTrip.measurementCount
    }
}

extension RemoteOutboundRTPStatistics {
    /// Takes over the newest sender report of the stream, if there is one.
    package mutating func apply(_ stream: RTPReceiveStream) {
        guard let report = stream.lastSenderReport else { return }
        packetsSent = UInt64(report.packetCount)
        bytesSent = UInt64(report.byteCount)
        remoteTimestamp = report.ntp.unixMilliseconds
    }
}

extension NTPTime {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    var unixMilliseconds: Double {
        (Double(bits >> 32) - 2_208_988_800) * 1000 + Double(bits & 0xFFFF_FFFF) * 1000 / 4_294_967_296
    }
}
