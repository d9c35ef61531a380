package import Primitives
package import RTP

extension CongestionController {
    /// So long after a probe has arrived the queue that it made has drained.
    private static let probeSettling = Duration.milliseconds(400)
    /// So long after less was sent than might be, and the round trip, what arrives tells of the path again.
    private static let limitSettling = Duration.milliseconds(500)
    private static let fallMemory = Duration.seconds(60)

    /// Takes the arrival times that the peer tells. Returns what became of which packets.
    @discardableResult
    package mutating func receive(_ feedback: TransportFeedback, at now: MonoTime) -> [PacketResult] {
        let report = history.receive(feedback, at: now)
        lastFeedback = now
        guard !report.results.isEmpty else { return [] }
        if let time = report.roundTrip {
            roundTrip = time
            rate.roundTrip = time
        }
        detector.receive(report.results, lossRatio: loss.lossRatio, at: now)
        let measured = takeArrivals(report.results, at: now)
        updateRate(measured: measured, at: now)
        if let measured { followProbe(measured, at: now) }
        loss.receive(report.results, limit: rate.bitrate)
        updateTarget()
        return report.results
    }

    /// Takes the bound that the peer sets on the whole transport. Where the peer tells no arrival times it is the estimate
    /// of the path.
    package mutating func receive(maximumBitrate: UInt64, at now: MonoTime) {
        let bound = Double(maximumBitrate)
        let before = peerLimit
        peerLimit = bound
        if feedback == .reports {
            rate.set(bound.clamped(to: limits.minimum...limits.maximum), at: now)
        } else if let before, bound > before, target >= before {
            tryMore(at: now)
        }
        updateTarget()
    }

    /// Takes a receiver's report of one who tells no arrival times.
    package mutating func receive(_ reception: RemoteReception, at now: MonoTime) {
        guard feedback == .reports else { return }
        let elapsed = max((now - sentSinceReport.from).seconds, 1e-3)
        loss.receive(
            expected: reception.expectedSinceReport, lost: reception.lostSinceReport,
            bitrate: Double(sentSinceReport.byteCount * 8) / elapsed, limit: rate.bitrate)
        sentSinceReport = (0, now)
        updateTarget()
    }

    /// Returns what a probe measured, if one is complete.
    private mutating func takeArrivals(_ results: [PacketResult], at now: MonoTime) -> Double? {
        var measured: Double?
        let isLimited = applicationLimit.since != nil
        for result in results {
            guard let arrival = result.arrival else { continue }
            let packet = result.packet
            acknowledged.receive(byteCount: packet.byteCount, at: arrival, isApplicationLimited: isLimited)
            guard packet.probe != nil else { continue }
            lastProbeResult = now
            measured = probeEstimator.receive(packet, arrival: arrival) ?? measured
        }
        return measured
    }

    private mutating func updateRate(measured: Double?, at now: MonoTime) {
        if let measured, isNews(measured, at: now) {
            guard probes.isRecovering else { return takeMeasured(measured, at: now) }
            rate.approach(measured)
        }
        let usage = detector.usage
        guard usage != .overusing || !isProbeSettling(at: now) && !isResuming(at: now) else { return }
        rate.update(
            usage, acknowledged: acknowledged.peakBitrate, isApplicationLimited: isApplicationLimited(at: now), at: now)
        rate.clamp(to: limits)
        noteFall(at: now)
    }

    /// Whether a probe's result counts: the first one in any case, later ones when they found more.
    private func isNews(_ measured: Double, at now: MonoTime) -> Bool {
        !hasMeasured || measured > rate.bitrate && probes.isPromising(measured, at: now)
    }

    private mutating func takeMeasured(_ measured: Double, at now: MonoTime) {
        hasMeasured = true
        lastLimited = now
        // What was lost before nothing was sent any more says nothing about a path that carries more now.
        if paused != nil { loss = LossRateController() }
        rate.set(measured.clamped(to: limits.minimum...limits.maximum), at: now)
    }

    /// Whether a probe's own queue may still be about.
    private func isProbeSettling(at now: MonoTime) -> Bool {
        lastProbeResult.map { now - $0 < Self.probeSettling } ?? false
    }

    /// Whether what is told is of the first pictures after a pause, which met an empty queue and wait in one now.
    private func isResuming(at now: MonoTime) -> Bool {
        lastResumed.map { now - $0 < Self.limitSettling + (roundTrip ?? .zero) } ?? false
    }

    /// Whether what arrives at `now` was sent while less was sent than might be.
    private func isApplicationLimited(at now: MonoTime) -> Bool {
        applicationLimit.since != nil
            || lastLimited.map { now - $0 < Self.limitSettling + (roundTrip ?? .zero) } ?? false
    }

    private mutating func noteFall(at now: MonoTime) {
        guard rate.lastDecrease == now, let before = rate.bitrateBeforeDecrease else { return }
        if let fall, now - fall.at < Self.fallMemory, before <= fall.from { return }
        fall = (before, now)
    }
}
