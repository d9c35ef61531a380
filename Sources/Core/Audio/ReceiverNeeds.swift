import MediaEngine
import Primitives
import SDP

/// What those who are sent the same sound need of it. One encoder for each codec serves them all, so everybody gets what
/// suits everybody: of limits the lowest holds, of wishes that only cost bits anybody's, and silence is left out, and
/// treble, only where nobody would miss them. Who is sent copies, which leave fewer bits to each frame, has another encoder
/// than those who are not.
struct ReceiverNeeds: Hashable {
    /// The lengths of packets that the encoders can make.
    static let packetTimes: [Duration] = [.milliseconds(10), .milliseconds(20), .milliseconds(40), .milliseconds(60)]

    /// What is lost on the way to the worst of those who can use Opus' redundancy, in per cent.
    var expectedLossPercent = 0
    /// How many earlier payloads are repeated in the packets to the worst of those who take that.
    var copies = 0
    /// Whether others are sent Opus without copies.
    var sparesSome = false
    /// The shortest packets that anybody wishes for; `nil`: nobody does.
    private var wishedTime: Duration?
    /// The least and the most that a packet should carry.
    private var shortestTime = Duration.zero
    private var longestTime = Duration.milliseconds(60)
    /// Whether some of them take packets of any length, or there is nobody.
    private var leavesTimeOpen = true
    private var opus = Opus()

    /// The parameters of RFC 7587, section 6.1, where they bind us. We send mono, which `stereo` allows for.
    private struct Opus: Hashable {
        var maximumBitrate = 510_000
        var playbackRateHz = 48_000
        var isConstantBitrate = false
        var usesDTX = true
    }

    init() {}

    /// - Parameter receivers: what was agreed on with each of those whom we send to.
    init(_ receivers: [AudioParameters]) {
        let wishes = receivers.compactMap(\.packetTime)
        wishedTime = wishes.min()
        leavesTimeOpen = receivers.isEmpty || wishes.count < receivers.count
        longestTime = receivers.compactMap(\.maximumPacketTime).min() ?? longestTime
        let asked = receivers.filter { $0.sending.codec == .opus }.map(\.opus)
        guard !asked.isEmpty else { return }
        shortestTime = asked.compactMap(\.minimumPacketTime).max() ?? .zero
        opus = Opus(
            maximumBitrate: asked.compactMap { $0.maximumAverageBitrate.map(Int.init) }.min() ?? opus.maximumBitrate,
            playbackRateHz: asked.map { $0.maximumPlaybackRateHz.map(Int.init) ?? opus.playbackRateHz }.max()
                ?? opus.playbackRateHz,
            isConstantBitrate: asked.contains(where: \.isConstantBitrate), usesDTX: asked.allSatisfy(\.usesDTX))
    }

    /// How sound is sent that would go out by `own` settings if nobody needed anything.
    func applied(to own: AudioPath.SendSettings) -> AudioPath.SendSettings {
        var settings = own
        settings.frameDuration = packetTime(default: own.frameDuration)
        settings.encoder.maximumBitrate = opus.maximumBitrate
        settings.encoder.playbackRateHz = opus.playbackRateHz
        settings.encoder.isConstantBitrate = opus.isConstantBitrate
        settings.encoder.usesDTX = own.encoder.usesDTX && opus.usesDTX
        let repeated = RedundancyPolicy.settings(settings.encoder, copies: copies)
        if copies > 0, sparesSome { settings.repeated = repeated } else { settings.encoder = repeated }
        settings.encoder.expectedLossPercent = expectedLossPercent
        return settings
    }

    /// The longest packet that exceeds neither the wishes nor the limit.
    private func packetTime(default own: Duration) -> Duration {
        let wished = min(wishedTime ?? own, leavesTimeOpen ? own : longestTime)
        let bound = min(max(wished, shortestTime), longestTime)
        return Self.packetTimes.last { $0 <= bound } ?? Self.packetTimes[0]
    }
}
