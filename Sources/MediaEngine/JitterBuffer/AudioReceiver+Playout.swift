package import Primitives

extension AudioReceiver {
    /// Fills `frame`, 480 samples at 48 kHz, with what is to be played at `now`: sound, concealment or silence.
    package func pull(into frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime) {
        guard isStarted else {
            presentedTimestamp = nil
            frame.update(repeating: 0)
            return
        }
        let clock = SampleTime.samples(at: now)
        target.update(packetSampleCount: packetSampleCount)
        dropHopeless(at: clock)
        retractSpeculation(at: clock)
        while buffer.count < frame.count {
            perform(policy.operation(in: situation(at: clock)), at: clock)
        }
        recordDelay(at: clock)
        stretch(keeping: frame.count, at: clock)
        presentedTimestamp = nextTimestamp
        buffer.play(into: frame)
        speculativeCount = min(speculativeCount, buffer.count)
        counter.play(
            UnsafeBufferPointer(frame), delay: currentDelay ?? 0, target: target.samples, starved: drySampleCount)
        loudness.record(levelDBov: counter.values.levelDBov)
    }

    /// The RTP timestamp of what is played next.
    private var nextTimestamp: UInt32? {
        guard let expected, !isPaused, drySampleCount == 0 else { return nil }
        return timeline.timestamp(
            of: expected.mediaTime &- buffer.count, rateHz: decoders[decoderIndex].rtpClockRateHz)
    }

    /// The low envelope of the playout delay in samples.
    private var currentDelay: Int? {
        guard let low = delay.lowOffset, let fastest = arrivals.fastestOffset else { return nil }
        return max(0, low &- fastest)
    }

    /// The playout delay at `clock` if the media time `mediaTime` followed what is in the buffer for certain.
    private func delay(at clock: Int, ifNextIs mediaTime: Int) -> Int {
        clock &- (mediaTime &- (buffer.count - speculativeCount)) &- (arrivals.fastestOffset ?? 0)
    }

    private func recordDelay(at clock: Int) {
        guard let expected, !isPaused, drySampleCount == 0 else { return }
        delay.record(offset: clock &- (expected.mediaTime &- buffer.count))
    }

    private func situation(at clock: Int) -> PlayoutPolicy.Situation {
        var situation = PlayoutPolicy.Situation()
        situation.drySampleCount = drySampleCount
        situation.isPaused = isPaused
        situation.target = target.samples
        situation.packetSampleCount = packetSampleCount
        guard let first = store.first else { return situation }
        let place = expected ?? first.place
        situation.next = PlayoutPolicy.Next(
            missingCount: first.place.sequence &- place.sequence,
            gap: first.place.mediaTime &- place.mediaTime,
            waited: clock &- first.arrival,
            delay: delay(at: clock, ifNextIs: first.place.mediaTime),
            sampleCount: first.sampleCount,
            hasRedundancy: first.hasRedundancy)
        return situation
    }

    private func perform(_ operation: PlayoutPolicy.Operation, at clock: Int) {
        switch operation {
        case .decode:
            decodeNext(at: clock)
        case .recover:
            recover()
        case .conceal(let count):
            concealLost(count)
        case .expand, .pause:
            expand()
        }
    }

    /// Drops packets whose playing would leave the delay hopelessly above its target.
    private func dropHopeless(at clock: Int) {
        guard let first = store.first,
            delay(at: clock, ifNextIs: first.place.mediaTime) - target.samples > PlayoutPolicy.hopelessExcess
        else { return }
        while store.count > 1, let entry = store.first,
            delay(at: clock, ifNextIs: entry.place.mediaTime) > target.samples + PlayoutPolicy.toleratedExcess
        {
            store.removeFirst()
            counter.discard()
        }
        counter.endConcealment(asPause: false)
        expected = store.first?.place
        needsJoint = true
        delay.reset()
    }

    /// Takes back concealment that was made in advance, now that there is something to play instead.
    private func retractSpeculation(at clock: Int) {
        guard speculativeCount > 0, store.first != nil else { return }
        var situation = situation(at: clock)
        situation.drySampleCount -= speculativeCount
        switch policy.operation(in: situation) {
        case .decode, .recover:
            retract(speculativeCount)
        case .conceal(let count):
            retract(speculativeCount - min(speculativeCount, count))
            speculativeCount = 0
        case .expand, .pause:
            break
        }
    }

    private func retract(_ count: Int) {
        guard count > 0, let source = buffer.last(count).baseAddress else { return }
        tail.baseAddress?.update(from: source, count: count)
        tailCount = count
        buffer.removeLast(count)
        counter.retract(count)
        drySampleCount -= count
        speculativeCount -= count
    }

    private func stretch(keeping count: Int, at clock: Int) {
        guard !isPaused, drySampleCount == 0, !concealer.isActive, let delay = currentDelay else { return }
        switch policy.stretch(delay: delay, target: target.samples, isQuiet: loudness.isQuiet) {
        case .none:
            break
        case .accelerate(let limit, let correlation):
            decodeAhead(to: count + TimeStretcher.longestNeed, at: clock)
            let removed = stretcher.shorten(&buffer, limit: limit, kept: count, minimumCorrelation: correlation)
            noteStretch(by: -removed)
            counter.removeForAcceleration(removed)
        case .preemptiveExpand(let limit, let correlation):
            let inserted = stretcher.lengthen(&buffer, limit: limit, minimumCorrelation: correlation)
            noteStretch(by: inserted)
            counter.insertForDeceleration(inserted)
        }
    }

    private func noteStretch(by samples: Int) {
        guard samples != 0 else { return }
        delay.shift(by: samples)
        policy.noteStretch()
    }

    /// Decodes packets that directly follow, so that there is enough sound to shorten.
    private func decodeAhead(to count: Int, at clock: Int) {
        while buffer.count < count, let first = store.first, first.place == expected {
            decodeNext(at: clock)
        }
    }
}
