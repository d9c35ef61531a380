package import Primitives

// Redundancy takes its bits from the sound: told 20 % on a clean link, Opus at 32 kbit/s falls from PESQ 4.53 to 3.89.
// So nothing is spent until loss is seen. The more it is told, the finer is what repairs: at 5 % loss it scores 3.80 when
// told 5 %, and 3.95 when told 10 %; told more than that it takes from the sound and scores less at every loss.

/// What the encoder is told of the loss that its in-band redundancy should repair: twice that of the worst listener, as the
/// receivers report it, and 10 % at most; 0 while none is seen.
///
/// A listener's loss is that of its last 10 s, so it fades within 10 s. A sudden onset counts at once when the last 3 s
/// are worse by more than chance.
package struct ExpectedLossPolicy<Peer: Hashable & Sendable>: Sendable {
    /// Redundancy begins at this loss and ends below the second one.
    package static var onsetPercent: Double { 1 }
    package static var releasePercent: Double { 0.5 }
    /// Of the loss, this is told, and no more than the second one.
    package static var toldShare: Double { 2 }
    package static var mostToldPercent: Double { 10 }

    private var histories: [Peer: LossHistory] = [:]
    private var currentPercent = 0

    package init() {}

    /// Takes what `peer` reports of this side's stream since its last report.
    package mutating func report(_ reception: RemoteReception, from peer: Peer, at now: MonoTime) {
        report(LossBucket(reception), from: peer, at: now)
    }

    package mutating func report(_ bucket: LossBucket, from peer: Peer, at now: MonoTime) {
        histories[peer, default: LossHistory(at: now)].record(bucket, at: now)
    }

    /// Forgets a peer that has left.
    package mutating func remove(_ peer: Peer) {
        histories[peer] = nil
    }

    /// The value for `AudioEncoderSettings.expectedLossPercent`. Moves by a whole point at least, so that the encoder is
    /// left alone while the loss stays about the same. To be asked once a second or so.
    package mutating func expectedLossPercent(at now: MonoTime) -> Int {
        let worst = histories.values.map { $0.presentLossPercent(at: now) }.max() ?? 0
        let told = min(worst * Self.toldShare, Self.mostToldPercent)
        if worst < (currentPercent == 0 ? Self.onsetPercent : Self.releasePercent) {
            currentPercent = 0
        } else if currentPercent == 0 || abs(told - Double(currentPercent)) >= 1 {
            currentPercent = max(1, Int(told.rounded()))
        }
        return currentPercent
    }
}
