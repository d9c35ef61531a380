/// The figures of the panels: once a statistics interval to the consoles that asked, for the active call.
///
/// What cannot be known is left out and shown as “–”, never as 0.
package struct StatisticsUpdate: Codable, Hashable, Sendable {
    /// By participant id.
    package var people: [String: ParticipantFigures] = [:]
    /// Per cent lost in the last 10 s, by speaker and then by listener; `me` is the person here.
    package var lossMatrix: [String: [String: Double]] = [:]
    /// Whose link is bad, in words.
    package var verdict: String?
    /// How many of the others report that they receive the microphone, and of how many.
    package var reached: Int?
    package var reachable: Int?
    package var box = BoxFigures()

    package init() {}
}

/// One participant's figures.
package struct ParticipantFigures: Codable, Hashable, Sendable {
    /// What comes from there.
    package var received: StreamFigures?
    /// What goes there, as the far side reports it.
    package var sent: StreamFigures?
    /// The picture that comes from there, and the one that goes there.
    package var video: VideoFigures?
    package var videoSent: VideoFigures?
    package var roundTripMs: Double?
    /// E-model estimate, 1…4.5.
    package var mos: Double?
    /// The path, the worse of both directions: 1 excellent, 2 good, 3 poor, 4 bad, 5 very bad, 6 down (FEATURES A63.2);
    /// absent: not known.
    package var quality: Int?

    package init() {}
}

/// The figures of one audio stream.
package struct StreamFigures: Codable, Hashable, Sendable {
    /// Packets lost since the start.
    package var lostCount: Int?
    /// Per cent lost in the last 10 s.
    package var lossPercent: Double?
    /// Per cent lost in each of the last 60 seconds, oldest first; −1: nothing was expected in that second.
    package var lossHistory: [Double]?
    package var latePercent: Double?
    package var concealedPercent: Double?
    /// Of the lost ones, per cent that redundancy restored.
    package var repairedPercent: Double?
    /// Of the lost ones, per cent that copies of whole packets restored (RFC 2198), rather than the codec's own redundancy.
    package var repairedByCopiesPercent: Double?
    /// The mean number lost in a row.
    package var burstLength: Double?
    /// Packets that came after a later one, since the start.
    package var reorderedCount: Int?
    package var jitterMs: Double?
    package var bufferMs: Double?
    package var bufferTargetMs: Double?
    package var bitrateKbps: Double?
    package var codec: String?

    package init() {}
}

/// The figures of one video stream.
package struct VideoFigures: Codable, Hashable, Sendable {
    /// Pixels, as decoded or encoded.
    package var width: Int?
    package var height: Int?
    /// Shown, or sent.
    package var framesPerSecond: Double?
    /// Received, or captured.
    package var framesPerSecondIn: Double?
    package var bitrateKbps: Double?
    /// What the encoder was told, or what the network is estimated to carry.
    package var targetKbps: Double?
    /// The mean quantiser of the last interval, in the codec's own scale (Q69).
    package var averageQP: Double?
    /// Milliseconds that one frame took to encode or decode.
    package var codecMs: Double?
    package var freezeCount: Int?
    package var freezeSeconds: Double?
    package var keyFrames: Int?
    package var nackCount: Int?
    /// Packets that came, or were sent, once more because they had got lost (RFC 4588).
    package var retransmittedCount: Int?
    package var pliCount: Int?
    package var lostCount: Int?
    package var lossPercent: Double?
    package var codec: String?

    package init() {}
}

/// This machine's own faults, counted since the core started.
package struct BoxFigures: Codable, Hashable, Sendable {
    package var underruns = 0
    package var lateTicks = 0
    package var socketDrops = 0
    /// Packets that the rings between the network and the sound could not take; absent: an older core counts none.
    package var ringDrops: Int?
    /// Per cent of one core that the core process used in the last interval.
    package var cpuPercent: Double?
    package var residentMB: Double?

    package init() {}
}
