/// One of the two sizes that a picture is sent in.
package enum VideoLayer: Hashable, Sendable {
    case high
    /// For small panes and poor paths.
    case low

    /// The low layer is no higher, and who shows no more than this needs no other.
    package static let lowSize = VideoSize(width: 320, height: 180)
}

/// Which of two encodings each peer gets, and what either may cost.
///
/// There are never more than two, whatever the number of peers: the high one goes as high as the poorest of its peers can
/// take, and who could take only a fraction of what the best can is given the low one.
package struct VideoLayerPlan<ID: Hashable & Sendable>: Sendable {
    /// What is known of one peer.
    package struct Peer: Hashable, Sendable {
        /// What it asks for; `nil`: nothing.
        package var wish: VideoLayer?
        /// Bits a second that its path has for video; 0: none (see `BitrateAllocation`).
        package var share: Double

        package init(wish: VideoLayer?, share: Double) {
            self.wish = wish
            self.share = share
        }
    }

    /// Bits a second that the low layer costs at most.
    package static var lowMaximum: Double { 150_000 }
    /// A peer whose share is below this part of the best one's leaves the high layer, and comes back above the other.
    private static var leaveRatio: Double { 1 / 3 }
    private static var returnRatio: Double { 1 / 2 }

    /// What each peer gets; who is not listed gets nothing.
    package private(set) var layers: [ID: VideoLayer] = [:]
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
        highBitrate = poorest(of: .high, in: able).map { min($0, maximum) }
        lowBitrate = poorest(of: .low, in: able).map { min($0, Self.lowMaximum) }
    }

    private func poorest(of layer: VideoLayer, in peers: [ID: Peer]) -> Double? {
        peers.filter { layers[$0.key] == layer }.values.map(\.share).min()
    }
}
