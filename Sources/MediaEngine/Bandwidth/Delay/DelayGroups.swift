package import Primitives

// The delay-based estimate follows Carlucci, De Cicco, Holmer and Mascolo, "Analysis and Design of the Google Congestion
// Control for Web Real-time Communication" (MMSys 2016), with the linear regression that browsers use in place of the
// Kalman filter, so that flows of either share a link fairly.

/// How much longer than it was sent a group of packets arrived after the one before.
package struct DelayVariation: Hashable, Sendable, BitwiseCopyable {
    package var sendDelta: Duration
    package var arrivalDelta: Duration
    /// When the later group had arrived, on the receiver's clock.
    package var arrival: MonoTime
}

/// Joins packets that left together, or that the network delivered together, into groups and compares neighbours.
package struct DelayGroups: Sendable {
    /// Packets that leave within this time are one group.
    package static let burst = Duration.milliseconds(5)
    /// Packets that queued up arrive together, but not for longer than this.
    private static let longestBurst = Duration.milliseconds(100)
    /// After so many groups in a row that overtook their predecessor the order is taken to be new.
    private static let maximumReorderedCount = 3

    private struct Group: Sendable, BitwiseCopyable {
        var firstSent: MonoTime
        var lastSent: MonoTime
        var firstArrival: MonoTime
        var lastArrival: MonoTime
    }

    private var previous: Group?
    private var current: Group?
    private var reorderedCount = 0

    package init() {}

    /// Takes the next packet. Returns the variation between the two groups before its own, when it begins a new one.
    package mutating func receive(sent: MonoTime, arrival: MonoTime) -> DelayVariation? {
        guard var group = current else {
            current = Group(firstSent: sent, lastSent: sent, firstArrival: arrival, lastArrival: arrival)
            return nil
        }
        guard sent >= group.firstSent else { return nil }
        if sent - group.firstSent <= Self.burst || arrivedInBurst(group, sent: sent, arrival: arrival) {
            group.lastSent = max(group.lastSent, sent)
            group.lastArrival = arrival
            current = group
            return nil
        }
        let variation = previous.flatMap { compare(group, with: $0) }
        previous = group
        current = Group(firstSent: sent, lastSent: sent, firstArrival: arrival, lastArrival: arrival)
        return variation
    }

    private mutating func compare(_ group: Group, with before: Group) -> DelayVariation? {
        let arrivalDelta = group.lastArrival - before.lastArrival
        guard arrivalDelta >= .zero else {
            reorderedCount += 1
            if reorderedCount >= Self.maximumReorderedCount { self = DelayGroups() }
            return nil
        }
        reorderedCount = 0
        return DelayVariation(
            sendDelta: group.lastSent - before.lastSent, arrivalDelta: arrivalDelta, arrival: group.lastArrival)
    }

    /// Whether the packet came right behind the group, earlier after it than it was sent.
    private func arrivedInBurst(_ group: Group, sent: MonoTime, arrival: MonoTime) -> Bool {
        let arrivalDelta = arrival - group.lastArrival
        return arrivalDelta < sent - group.lastSent && arrivalDelta <= Self.burst
            && arrival - group.firstArrival < Self.longestBurst
    }
}
