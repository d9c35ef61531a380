package import Primitives

/// Additive increase and multiplicative decrease of the bitrate by how the bottleneck is used.
package struct DelayRateController: Sendable {
    /// After overuse, of what arrives; while less is sent than may be, of the known capacity.
    private static let backOff = 0.85
    private static let growthPerSecond = 1.08
    private static let approachPerSecond = 1.5
    /// More than this times what arrives is not tried without a probe.
    private static let headroom = 1.5
    /// The same while some of what would be sent is left out, which may be all that there is no room for.
    private static let headroomOfPart = 1.1
    /// Bits a second in a second.
    private static let leastGrowth = 5000.0
    private static let packetBits = 1200.0 * 8

    private enum Phase: Sendable {
        case hold
        case increase
    }

    /// Bits a second.
    package private(set) var bitrate: Double
    /// When the bottleneck was last overused.
    package private(set) var lastDecrease: MonoTime?
    /// From what it fell then.
    package private(set) var bitrateBeforeDecrease: Double?
    /// Since when more is not tried because so little arrives: a probe has to tell whether it would; `nil`: it is.
    package private(set) var held: MonoTime?
    package var roundTrip = Duration.milliseconds(200)
    /// Whether some of what would be sent is left out.
    package var sendsPart = false
    private var phase = Phase.hold
    private var capacity = LinkCapacity()
    private var lastChange: MonoTime?
    /// What a probe found while others may share the bottleneck.
    private var approached: Double?

    package init(bitrate: Double) {
        self.bitrate = bitrate
    }

    /// Takes what feedback tells. `acknowledged`: what arrives; `isApplicationLimited`: less was sent than may be, so
    /// that what arrives says nothing about the path.
    package mutating func update(
        _ usage: BandwidthUsage, acknowledged: Double?, isApplicationLimited: Bool, at now: MonoTime
    ) {
        switch usage {
        case .overusing:
            guard mayDecrease(acknowledged: acknowledged, at: now) else { return }
            decrease(acknowledged: isApplicationLimited ? nil : acknowledged, at: now)
        case .underusing:
            phase = .hold
        case .normal where phase == .hold:
            phase = .increase
            lastChange = now
        case .normal:
            increase(acknowledged: acknowledged, isAllowed: !isApplicationLimited, at: now)
        }
    }

    /// Takes a bitrate that was measured.
    package mutating func set(_ bitrate: Double, at now: MonoTime) {
        self.bitrate = bitrate
        lastChange = now
    }

    /// Grows fast until `found`, which a probe has measured, unless the bottleneck is overused before.
    package mutating func approach(_ found: Double) {
        approached = found
    }

    /// Less is sent from now on than may be: what was tried beyond the known capacity is not found out any more.
    package mutating func settle() {
        guard let estimate = capacity.estimate else { return }
        bitrate = min(bitrate, Self.backOff * estimate * 1000)
    }

    /// Keeps to the bounds.
    package mutating func clamp(to limits: BitrateLimits) {
        bitrate = bitrate.clamped(to: limits.minimum...limits.maximum)
    }

    /// A further decrease before its predecessor can show would go too far.
    private func mayDecrease(acknowledged: Double?, at now: MonoTime) -> Bool {
        guard let lastDecrease else { return true }
        let pause = roundTrip.clamped(to: .milliseconds(10)...(.milliseconds(200)))
        return now - lastDecrease >= pause || (acknowledged ?? bitrate) < bitrate / 2
    }

    private mutating func decrease(acknowledged: Double?, at now: MonoTime) {
        defer {
            phase = .hold
            approached = nil
            held = nil
            lastDecrease = now
            lastChange = now
        }
        bitrateBeforeDecrease = bitrate
        guard let acknowledged else {
            bitrate *= Self.backOff
            return
        }
        let arrived = acknowledged / 1000
        if let range = capacity.range, arrived < range.lowerBound { capacity.reset() }
        capacity.receive(overused: arrived)
        // What arrives varies from window to window; while it agrees with the capacity that is known, that counts.
        let carried = max(acknowledged, (capacity.estimate ?? 0) * 1000)
        bitrate = min(bitrate, Self.backOff * carried)
    }

    private mutating func increase(acknowledged: Double?, isAllowed: Bool, at now: MonoTime) {
        let elapsed = min((now - (lastChange ?? now)).seconds, 1)
        lastChange = now
        guard isAllowed else { return }
        if let acknowledged, let range = capacity.range, acknowledged / 1000 > range.upperBound { capacity.reset() }
        let step = growth * elapsed
        let headroom = sendsPart ? Self.headroomOfPart : Self.headroom
        let limit = acknowledged.map { headroom * $0 + 10_000 } ?? .infinity
        held = bitrate + step > limit ? held ?? now : nil
        bitrate = max(bitrate, min(bitrate + step, limit))
    }

    /// In bits a second in a second.
    private var growth: Double {
        if let approached, bitrate < approached { return bitrate * logarithm(Self.approachPerSecond) }
        return capacity.estimate == nil
            ? max(bitrate * logarithm(Self.growthPerSecond), Self.leastGrowth) : additiveGrowth
    }

    /// Near the known capacity: about a packet in the time that a change takes to show.
    private var additiveGrowth: Double {
        let frameBits = bitrate / 30
        let packetBits = frameBits / (frameBits / Self.packetBits).rounded(.up)
        return max(packetBits / (roundTrip.seconds + 0.1), Self.leastGrowth)
    }
}
