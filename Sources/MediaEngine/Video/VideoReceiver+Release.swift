internal import Primitives
internal import RTP

extension VideoReceiver {
    /// Hands out the frames whose time has come, in order.
    mutating func release(at now: MonoTime, into out: inout Outbox<Event>) {
        while let index = nextIndex(at: now) {
            let frame = frames[index]
            guard let due = releaseTime(of: frame), due <= now else { return }
            drop(before: index)
            frames.removeFirst()
            frameByteCount -= frame.bytes.count
            advance(past: frame, isDecoded: true)
            emit(frame, at: now, into: &out)
        }
    }

    /// When the next frame goes out; `nil`: none can be decoded.
    var nextRelease: MonoTime? {
        frames.first(where: dependencies.canDecode).flatMap(releaseTime)
    }

    /// The frame to hand out next. One that nothing depends on is left out when it is late and another is due; a key
    /// frame that is due takes the place of all before it.
    private mutating func nextIndex(at now: MonoTime) -> Int? {
        let isDue = { (timing: VideoTiming, frame: AssembledFrame) in
            timing.renderTime(of: frame.timestamp).map { $0 <= now } ?? false
        }
        let timing = timing
        if let key = frames.lastIndex(where: { $0.payload.isKeyFrame && isDue(timing, $0) }) { return key }
        guard let index = frames.firstIndex(where: dependencies.canDecode) else { return nil }
        guard frames[index].payload.isDiscardable, isDue(timing, frames[index]) else { return index }
        let later = frames[(index + 1)...].firstIndex { dependencies.canDecode($0) && isDue(timing, $0) }
        return later ?? index
    }

    private func releaseTime(of frame: AssembledFrame) -> MonoTime? {
        timing.renderTime(of: frame.timestamp).map { $0 - Self.decodingTime }
    }

    /// Leaves out the frames before the one that goes out.
    private mutating func drop(before index: Int) {
        counters.framesDropped += UInt64(index)
        frameByteCount -= frames[..<index].reduce(0) { $0 + $1.bytes.count }
        frames.removeFirst(index)
    }

    private mutating func advance(past frame: AssembledFrame, isDecoded: Bool) {
        dependencies.advance(past: frame, isDecoded: isDecoded)
        packets.forget(through: frame.sequences.upperBound)
        nacks.forget(through: frame.sequences.upperBound)
    }

    private mutating func emit(_ frame: AssembledFrame, at now: MonoTime, into out: inout Outbox<Event>) {
        guard let codec else { return }
        if frame.payload.isKeyFrame { demand.satisfy() }
        demand.pictureCame(at: now)
        waitBegan = nil
        lastRenderTime = max(lastRenderTime, timing.renderTime(of: frame.timestamp) ?? now)
        counters.framesReleased += 1
        counters.jitterBufferDelay += now - frame.firstArrival
        out.emit(
            .frame(
                ReceivedVideoFrame(
                    codec: codec, bytes: frame.bytes, isKeyFrame: frame.payload.isKeyFrame, timestamp: frame.timestamp,
                    renderTime: lastRenderTime, firstArrival: frame.firstArrival, packetCount: frame.sequences.count)))
    }
}
