extension AudioReceiver {
    /// What is concealed at once while it is not known what is missing: one packet, at most 20 ms.
    private static let longestExpansion = 960
    /// Codecs conceal in multiples of 2.5 ms.
    private static let concealmentUnit = 120

    /// Decodes the oldest packet to the end of the buffer.
    func decodeNext(at clock: Int) {
        guard let entry = store.first else { return }
        noteReached(entry)
        let ahead = clock &- entry.arrival &+ buffer.count - speculativeCount
        counter.emit(entry.sampleCount, delay: ahead, target: target.samples)
        select(decoder: entry.decoder)
        let decoded = decoders[entry.decoder].decoder.decode(store.payload(of: entry), into: scratch)
        store.removeFirst()
        expected = StreamTimeline.Place(
            sequence: entry.place.sequence &+ 1, mediaTime: entry.place.mediaTime &+ entry.sampleCount)
        packetSampleCount = entry.sampleCount
        guard 1...scratch.count ~= decoded else {
            counter.invalidate()
            return conceal(entry.sampleCount, isCertain: true)
        }
        append(decoded)
    }

    /// Settles what the time before `entry` was: lost, late or never sent.
    private func noteReached(_ entry: PacketStore.Entry) {
        var wasPause = true
        if let expected {
            let missing = entry.place.sequence &- expected.sequence
            wasPause = missing == 0 && (entry.place.mediaTime != expected.mediaTime || isPaused && entry.marker)
            noteLost(missing)
        }
        counter.endConcealment(asPause: wasPause)
        if entry.hasRedundancy, !hasUsedRedundancy { counter.discardRedundancy() }
        hasUsedRedundancy = false
        if isPaused { delay.reset() }
        isPaused = false
    }

    private func noteLost(_ count: Int) {
        target.recordPlayed(lostCount: count)
        counter.lose(count)
    }

    /// Decodes the lost packet before the oldest one from that one's redundancy.
    func recover() {
        guard let entry = store.first, let place = expected else { return }
        let gap = entry.place.mediaTime &- place.mediaTime
        let count = min(entry.sampleCount, gap) / Self.concealmentUnit * Self.concealmentUnit
        noteLost(entry.place.sequence &- place.sequence)
        counter.endConcealment(asPause: false)
        expected = entry.place
        hasUsedRedundancy = true
        guard count > 0 else { return }
        select(decoder: entry.decoder)
        let decoded = decoders[entry.decoder].decoder.decodeRedundancy(
            in: store.payload(of: entry), into: UnsafeMutableBufferPointer(rebasing: scratch[..<count]))
        guard 1...count ~= decoded else { return conceal(count, isCertain: true) }
        counter.repair(byCopy: false)
        append(decoded)
    }

    /// Conceals `count` samples of media time that is known to be lost, besides what is concealed already.
    func concealLost(_ count: Int) {
        guard let first = store.first, var place = expected else { return }
        place.mediaTime &+= drySampleCount + count
        let missing = first.place.sequence &- place.sequence
        let left = max(0, first.place.mediaTime &- place.mediaTime)
        let leftCount = min(missing, (left + packetSampleCount - 1) / max(packetSampleCount, 1))
        noteLost(missing - leftCount)
        place.sequence = first.place.sequence &- leftCount
        expected = place
        drySampleCount = 0
        speculativeCount = 0
        conceal(count, isCertain: true)
    }

    /// Conceals while it is not known what is missing; silence when that lasts.
    func expand() {
        let count = min(max(packetSampleCount, Self.concealmentUnit), Self.longestExpansion)
        let isEnding = drySampleCount + count >= Self.longestDryness
        if expected == nil || isSilenced {
            scratch.baseAddress?.update(repeating: 0, count: count)
            buffer.append(UnsafeBufferPointer(rebasing: scratch[..<count]))
            counter.conceal(count, isSilent: true, isCertain: false)
        } else {
            conceal(count, isCertain: false, isFadingOut: isEnding)
            isSilenced = isEnding
        }
        tailCount = 0
        drySampleCount = min(drySampleCount + count, Int(Int32.max))
        speculativeCount = min(speculativeCount + count, buffer.count)
    }

    private func select(decoder index: Int) {
        guard index != decoderIndex else { return }
        decoderIndex = index
        decoders[index].decoder.reset()
        needsJoint = needsJoint || expected != nil
    }

    /// Appends `count` concealed samples, by the codec where it can.
    private func conceal(_ count: Int, isCertain: Bool, isFadingOut: Bool = false) {
        let units = (count + Self.concealmentUnit - 1) / Self.concealmentUnit
        let rounded = min(units * Self.concealmentUnit, scratch.count)
        let whole = UnsafeMutableBufferPointer(rebasing: scratch[..<rounded])
        let isDone = !concealer.isActive && decoders[decoderIndex].decoder.conceal(into: whole) == rounded
        let part = UnsafeMutableBufferPointer(rebasing: scratch[..<min(count, rounded)])
        if !isDone {
            if !concealer.isActive { concealer.begin(after: buffer.last(PlayoutBuffer.historySampleCount)) }
            concealer.extend(into: part)
        }
        if isFadingOut { Crossfade.fadeOut(part) }
        buffer.append(UnsafeBufferPointer(part))
        tailCount = 0
        counter.conceal(part.count, isSilent: Crossfade.isSilent(part), isCertain: isCertain)
    }

    /// Appends the first `count` decoded samples of `scratch`, led in from what they do not continue.
    private func append(_ count: Int) {
        let head = UnsafeMutableBufferPointer(rebasing: scratch[..<count])
        prepareTail()
        if tailCount > 0 {
            let shift = merger.join(tail: UnsafeBufferPointer(rebasing: tail[..<tailCount]), to: head)
            buffer.append(UnsafeBufferPointer(rebasing: tail[..<shift]))
        }
        buffer.append(UnsafeBufferPointer(head))
        concealer.end()
        tailCount = 0
        needsJoint = false
        isSilenced = false
        drySampleCount = 0
        speculativeCount = 0
    }

    /// Makes the sound that leads into what comes, where neither the codec nor concealment made in advance gives it.
    private func prepareTail() {
        guard tailCount == 0 else { return }
        if isSilenced {
            tailCount = Merger.overlap
            for index in 0..<tailCount { tail[index] = 0 }
        } else if concealer.isActive || needsJoint {
            if !concealer.isActive { concealer.begin(after: buffer.last(PlayoutBuffer.historySampleCount)) }
            tailCount = Merger.overlap + Merger.longestShift
            concealer.extend(into: UnsafeMutableBufferPointer(rebasing: tail[..<tailCount]))
        }
    }
}
