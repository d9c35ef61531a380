/// One of the two sizes that a picture is sent in.
package enum VideoLayer: Hashable, Sendable {
    case high
    /// For small panes and poor paths.
    case low

    /// The low layer is no higher, and who shows no more than this needs no other.
    package static let lowSize = VideoSize(width: 320, height: 180)
}

/// Which of two encodings each peer gets, how much of it, and what either may cost.
///
/// There are never more than two, whatever the number of peers: the high one goes as high as the poorest of its peers can
/// take, and who could take only a fraction of what the best can is given the low one.
///
/// A few poor ones among many need not hold an encoding down. They get its base layer alone, which is every other frame
/// and costs 60 %, and the others what more than half of the encoding's peers can take whole; only where not even the base
/// layer suits them does the encoding follow. Where it would be half of them or more, one alone above all, the encoding
/// follows at once: fewer bits cost a picture less than half of its frames do, and nobody would gain by them.
package struct VideoLayerPlan<ID: Hashable & Sendable>: Sendable {
    /// What is known of one peer.
    package struct Peer: Hashable, Sendable {
        /// What it asks for; `nil`: nothing.
        package var wish: VideoLayer?
        /// Bits a second that its path has for video; 0: none (see `BitrateAllocation`).
        package var share: Double
        /// Whether it may be sent every other frame alone.
        package var mayMissFrames: Bool

        package init(wish: VideoLayer?, share: Double, mayMissFrames: Bool = true) {
            self.wish = wish
            self.share = share
            self.mayMissFrames = mayMissFrames
        }
    }

    /// Bits a second that the low layer costs at most.
    package static var lowMaximum: Double { 150_000 }
    /// A peer whose share is below this part of the best one's leaves the high layer, and comes back above the other.
    private static var leaveRatio: Double { 1 / 3 }
    private static var returnRatio: Double { 1 / 2 }
    /// Above this part of what the others take whole, a peer gets all frames again; it leaves them a margin below.
    private static var wholeRatio: Double { 0.9 }
    private static var margin: Double { 1.2 }

    /// What each peer gets; who is not listed gets nothing.
    package private(set) var layers: [ID: VideoLayer] = [:]
    /// Who gets no more of that than the base layer in time.
    package private(set) var baseAlone: Set<ID> = []
    /// Bits a second of each layer; `nil`: nobody gets it.
    package private(set) var highBitrate: Double?
    package private(set) var lowBitrate: Double?

    package init() {}

    /// Plans anew. `maximum`: bits a second of the high layer at the most.
    package mutating func update(_ peers: [ID: Peer], maximum: Double) {
        let able = peers.filter { $0.value.wish != nil && $0.value.share > 0 }
        let best = able.values.filter { $0.wish == .high }.map { min($0.share, maximum) }.max() ?? 0
        layers = able.reduce(into: [:]) { result, item in
            let (id, peer) = item
            let ratio = layers[id] == .low ? Self.returnRatio : Self.leaveRatio
            result[id] = peer.wish == .high && peer.share >= best * ratio ? .high : .low
        }
        let shares = { [layers] (layer: VideoLayer, maximum: Double) in
            able.filter { layers[$0.key] == layer }.mapValues { min($0.share, maximum) }
        }
        let (high, low) = (shares(.high, maximum), shares(.low, Self.lowMaximum))
        let mustHaveAll = Set(able.filter { !$0.value.mayMissFrames }.keys)
        baseAlone = poor(of: high, except: mustHaveAll).union(poor(of: low, except: mustHaveAll))
        (highBitrate, lowBitrate) = (bitrate(for: high), bitrate(for: low))
    }

    /// Who of those that share a layer can take too little for all of its frames; who is excepted gets them anyway.
    private func poor(of shares: [ID: Double], except others: Set<ID>) -> Set<ID> {
        guard !shares.isEmpty else { return [] }
        let common = shares.values.sorted(by: >)[shares.count / 2]
        let whole = shares.filter { others.contains($0.key) }.values.reduce(common, min) * Self.wholeRatio
        return Set(shares.filter { $0.value < (baseAlone.contains($0.key) ? whole : whole / Self.margin) }.keys)
    }

    /// What a layer may cost so that all who share it can take their part.
    private func bitrate(for shares: [ID: Double]) -> Double? {
        shares.map { id, share in baseAlone.contains(id) ? share / VideoEncoderSettings.baseShare : share }.min()
    }
}
