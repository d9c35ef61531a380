import Primitives

/// One participant's receive side: takes packets as they arrive and gives sound in frames of 10 ms.
///
/// Used from one thread at a time, the audio thread. Allocates only in `init`. The delay adapts to the spread of
/// arrivals, which is measured by `AudioPacket.arrival` and so not disturbed by the device's rhythm. Policy
/// (`PlayoutPolicy`, `DelayTarget`) sees no samples, sample processing (`TimeStretcher`, `Concealer`, `Merger`) sees no
/// time, and storage (`PacketStore`, `PlayoutBuffer`) does not decode.
package final class AudioReceiver: PlayoutSource {
    /// Playing nothing for so long (1 s) ends what is known of the delay, so that no pause makes it grow.
    static let longestDryness = AudioFormat.rateHz
    /// As much as the store holds beside the longest delay.
    private static let longestSyncDelay = Duration.seconds(2)
    /// A dry spell of at least this length (100 ms) that ends with a marker was a pause.
    static let shortestPause = 100 * SampleTime.perMillisecond

    let decoders: [AudioDecoderEntry]
    var timeline = StreamTimeline()
    var arrivals = ArrivalHistory()
    var target: DelayTarget
    var delay = PlayoutDelay()
    var policy = PlayoutPolicy()
    var store = PacketStore()
    var buffer = PlayoutBuffer()
    var counter = StatisticsCounter()
    var loudness = Loudness()
    let stretcher = TimeStretcher()
    let merger = Merger()
    var concealer = Concealer()
    let scratch: UnsafeMutableBufferPointer<Float>
    let tail: UnsafeMutableBufferPointer<Float>

    /// The sequence and media time of what is to be decoded next; `nil` before the first packet.
    var expected: StreamTimeline.Place?
    package internal(set) var presentedTimestamp: UInt32?
    package var syncDelay = Duration.zero {
        didSet { target.syncDelay = SampleTime.samples(in: syncDelay.clamped(to: .zero...Self.longestSyncDelay)) }
    }
    /// Whether a packet was ever stored.
    var isStarted = false
    /// Whether the sender has paused or not begun: the next packet waits for the target delay.
    var isPaused = true
    /// Samples concealed since the last packet while it is not known what is missing.
    var drySampleCount = 0
    /// How many samples at the end of the buffer are such.
    var speculativeCount = 0
    /// Concealed samples taken back from the buffer: they lead into what is appended next.
    var tailCount = 0
    /// Whether the buffer ends in silence because nothing came for long.
    var isSilenced = true
    /// Whether the redundancy of the next packet was used.
    var hasUsedRedundancy = false
    /// Whether the next packet does not continue the decoder's state or the sound in the buffer.
    var needsJoint = false
    var decoderIndex = 0
    /// What packets carried lately.
    var packetSampleCount = 960
    private var newestSequence = Int.min

    package init(decoders: [AudioDecoderEntry], settings: AudioReceiverSettings = .init()) {
        self.decoders = decoders
        target = DelayTarget(settings)
        scratch = .allocate(capacity: AudioFormat.maximumPacketSampleCount)
        scratch.initialize(repeating: 0)
        tail = .allocate(capacity: AudioFormat.maximumPacketSampleCount)
        tail.initialize(repeating: 0)
    }

    deinit {
        scratch.deallocate()
        tail.deallocate()
    }

    package var statistics: AudioReceiverStatistics {
        counter.values
    }

    /// Takes a packet; its payload is copied.
    package func insert(_ packet: AudioPacket, payload: UnsafeRawBufferPointer) {
        guard let index = decoderIndex(of: packet.payloadType) else { return counter.invalidate() }
        let entry = decoders[index]
        let sampleCount = entry.decoder.sampleCount(of: payload)
        guard 1...AudioFormat.maximumPacketSampleCount ~= sampleCount else { return counter.invalidate() }
        let (verdict, place) = timeline.locate(packet, rateHz: entry.rtpClockRateHz)
        if verdict == .strays { return counter.invalidate() }
        if verdict == .starts { restart() }
        let stored = PacketStore.Entry(
            place: place, arrival: SampleTime.samples(at: packet.arrival), sampleCount: sampleCount, decoder: index,
            marker: packet.marker, hasRedundancy: !packet.isCopy && entry.decoder.hasRedundancy(payload))
        if packet.isCopy { storeCopy(stored, payload: payload) } else { store(stored, payload: payload) }
    }

    /// Takes a copy of what is missing and can still be played.
    private func storeCopy(_ entry: PacketStore.Entry, payload: UnsafeRawBufferPointer) {
        counter.receiveRedundancy()
        target.recordReceived(redundancyDepth: newestSequence &- entry.place.sequence)
        guard let expected, entry.place.sequence >= expected.sequence,
            store.insert(entry, payload: payload) == .stored
        else { return counter.discardRedundancy() }
        counter.repair(byCopy: true)
        target.recordRepaired()
    }

    private func decoderIndex(of payloadType: UInt8) -> Int? {
        for index in decoders.indices where decoders[index].payloadType == payloadType { return index }
        return nil
    }

    private func store(_ entry: PacketStore.Entry, payload: UnsafeRawBufferPointer) {
        if let expected, entry.place.sequence < expected.sequence {
            guard store.noteSeen(entry.place.sequence) else { return counter.duplicate() }
            counter.discard()
            return measure(entry)
        }
        switch store.insert(entry, payload: payload) {
        case .duplicate:
            return counter.duplicate()
        case .refused:
            return counter.discard()
        case .storedDroppingOldest:
            counter.discard()
        case .stored:
            break
        }
        if entry.hasRedundancy { counter.receiveRedundancy() }
        if entry.hasRedundancy || !decoders[entry.decoder].decoder.isSilent(payload) {
            target.recordReceived(redundancyDepth: entry.hasRedundancy ? 1 : 0)
        }
        isStarted = true
        measure(entry)
    }

    private func measure(_ entry: PacketStore.Entry) {
        if drySampleCount >= (entry.marker ? Self.shortestPause : Self.longestDryness), store.count <= 1 {
            arrivals.reset()
            target.pauseInterval()
            counter.restartJitter()
            delay.reset()
            isPaused = true
        }
        counter.receive(offset: entry.arrival &- entry.place.mediaTime)
        let relative = arrivals.record(arrival: entry.arrival, mediaTime: entry.place.mediaTime)
        target.record(delay: relative, isReordered: entry.place.sequence < newestSequence, at: entry.arrival)
        newestSequence = max(newestSequence, entry.place.sequence)
    }

    /// Makes room for a new stream; what is decoded already is played out.
    private func restart() {
        counter.discard(store.count)
        store.removeAll()
        arrivals.reset()
        target.restartInterval()
        counter.restartJitter()
        delay.reset()
        expected = nil
        newestSequence = .min
        isPaused = true
        needsJoint = isStarted
        for index in decoders.indices { decoders[index].decoder.reset() }
    }
}
