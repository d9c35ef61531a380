package import Primitives

// Measured with PESQ at 10 % loss: two frames of 16 kbit/s in a packet (35 kbit/s) 3.64, one of 32 with as much of Opus'
// own redundancy on top as repairs most (48 kbit/s) 3.84, three of 16 kbit/s (53 kbit/s) 3.88; at 15 % the latter two 3.30
// and 3.77, at 10 % in runs of two 2.96 and 3.09, at 6 % 4.13 and less. Without loss everything is worse than plain sound.

/// How many earlier frames each audio packet to one peer repeats (RFC 2198): by what the peer loses of late, how many
/// packets in a row, and why.
///
/// Redundancy is sent against noise only: where congestion is the cause it makes the loss worse.
package struct RedundancyPolicy: Sendable {
    /// One copy is sent from this loss on and until below the second one.
    package static let oneCopyPercent = (onset: 5.0, release: 4.0)
    package static let twoCopiesPercent = (onset: 15.0, release: 11.0)
    /// One copy repairs little of losses that last longer.
    package static let twoCopiesBurst = (onset: 1.5, release: 1.3)
    /// Fewer packets of the last 10 s say nothing: of 50, chance loses a tenth where a twentieth is lost, and in a row.
    package static let fewestPackets: Int64 = 150
    /// Copies are kept at least for so long, so that the peer's buffer, which waits for them, may settle.
    package static let minimumDuration = Duration.seconds(10)
    package static let mostCopies = 2

    /// What the frames are coded at while each is sent with so many copies of earlier ones, in bits a second: in all 35,000
    /// and, with two, 50,000.
    package static func bitrate(copies: Int) -> Int {
        copies > 1 ? 14_500 : 15_800
    }

    /// Whether the peer can use Opus' own redundancy, which comes on top of the sound's bitrate: up to 12 % of single losses
    /// it then repairs more than one copy of frames that are coded at half the bitrate.
    package var hasInbandRedundancy = false
    /// What each packet repeats, 0…`mostCopies` frames.
    package private(set) var copies = 0

    private var history: LossHistory
    private var changed: MonoTime

    package init(at now: MonoTime) {
        history = LossHistory(at: now)
        changed = now
    }

    /// Whether the peer has lost something of late, so that it is worth knowing in which runs, and why.
    package func isConcerned(at now: MonoTime) -> Bool {
        copies > 0 || history.window(at: now).lost > 0
    }

    /// Takes what the peer reports of this side's audio since its last report.
    package mutating func report(_ bucket: LossBucket, at now: MonoTime) {
        history.record(bucket, at: now)
    }

    /// Decides anew; to be asked once a second or so. `isCongested`: the path carries less than is sent.
    package mutating func update(isCongested: Bool, at now: MonoTime) {
        let wanted = isCongested ? 0 : wantedCopies(at: now)
        guard wanted != copies, wanted > copies || isCongested || now - changed >= Self.minimumDuration else { return }
        copies = wanted
        changed = now
    }

    /// The encoder's settings when the peer that needs most copies gets `copies` of them: at a bitrate that leaves room
    /// for them.
    package static func settings(_ settings: AudioEncoderSettings, copies: Int) -> AudioEncoderSettings {
        guard copies > 0 else { return settings }
        var settings = settings
        settings.bitrate = min(settings.bitrate, bitrate(copies: copies))
        return settings
    }

    private func wantedCopies(at now: MonoTime) -> Int {
        let window = history.window(at: now)
        guard window.expected >= Self.fewestPackets else { return copies }
        let (loss, burst) = (history.presentLossPercent(at: now), window.meanBurst ?? 1)
        guard loss >= (copies > 0 ? Self.oneCopyPercent.release : Self.oneCopyPercent.onset) else { return 0 }
        let isMuch = loss >= (copies > 1 ? Self.twoCopiesPercent.release : Self.twoCopiesPercent.onset)
        let isLong = burst >= (copies > 1 ? Self.twoCopiesBurst.release : Self.twoCopiesBurst.onset)
        return isMuch || isLong ? 2 : hasInbandRedundancy ? 0 : 1
    }
}
