import MediaEngine
import Primitives

/// What a peer's two streams lost in the last minute.
struct PeerHistory {
    /// What comes from the peer, as it is measured here.
    private(set) var received: LossHistory
    /// What goes to the peer, as it reports it.
    private(set) var sent: LossHistory
    /// Packets that were no RTP, or of a payload type that was not agreed on.
    var unusablePackets = 0
    private var lastReception = ReceptionCounters()
    private var lastPlayout = AudioReceiverStatistics()

    init(at now: MonoTime) {
        received = LossHistory(at: now)
        sent = LossHistory(at: now)
    }

    /// Takes what was counted on the receive stream and in its jitter buffer since the last call.
    mutating func record(_ reception: ReceptionCounters, playout: AudioReceiverStatistics?, at now: MonoTime) {
        var bucket = LossBucket(from: lastReception, to: reception)
        lastReception = reception
        if let playout {
            bucket.late = Int64(clamping: playout.packetsDiscarded) - Int64(clamping: lastPlayout.packetsDiscarded)
            bucket.playedSamples =
                Int64(clamping: playout.totalSamplesReceived) - Int64(clamping: lastPlayout.totalSamplesReceived)
            bucket.concealedSamples =
                Int64(clamping: playout.audibleConcealedSamples)
                - Int64(clamping: lastPlayout.audibleConcealedSamples)
            lastPlayout = playout
        }
        received.record(bucket, at: now)
    }

    /// Takes a report of the peer on what it receives.
    mutating func report(_ reception: RemoteReception, at now: MonoTime) {
        sent.record(LossBucket(reception), at: now)
    }
}

extension AudioReceiverStatistics {
    /// Concealed samples that could be heard: silence filled with silence does not count.
    var audibleConcealedSamples: UInt64 {
        concealedSamples - min(silentConcealedSamples, concealedSamples)
    }
}
