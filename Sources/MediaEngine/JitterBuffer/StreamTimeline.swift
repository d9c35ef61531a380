import Primitives

/// Undoes the wraps of a stream's sequence numbers and timestamps, and tells a new stream from a stray packet.
///
/// A leap of the sequence number starts the stream anew only when a second packet confirms it (RFC 3550, appendix A.1).
struct StreamTimeline: Sendable {
    enum Verdict: Hashable, Sendable {
        /// The packet belongs to the stream.
        case continues
        /// It is the first of a stream: what was received before is void.
        case starts
        /// It is far from the stream, and alone.
        case strays
    }

    /// A packet's place.
    struct Place: Hashable, Sendable, BitwiseCopyable {
        /// The sequence number, extended.
        var sequence: Int
        /// The media time in samples at 48 kHz.
        var mediaTime: Int
    }

    /// 20 s of packets of 20 ms.
    private static let longestLeap = 1000

    private var ssrc: UInt32?
    private var lastSequence = SequenceNumber(0)
    private var lastTimestamp: UInt32 = 0
    private var last = Place(sequence: 0, mediaTime: 0)
    private var expectedAfterLeap: SequenceNumber?

    /// Takes a packet whose RTP clock runs at `rateHz`.
    mutating func locate(_ packet: AudioPacket, rateHz: Int) -> (verdict: Verdict, place: Place) {
        let sequence = SequenceNumber(packet.sequenceNumber)
        guard ssrc == packet.ssrc else { return start(packet) }
        let distance = sequence.distance(from: lastSequence)
        if distance.magnitude > Self.longestLeap.magnitude {
            guard expectedAfterLeap == sequence else {
                expectedAfterLeap = sequence + 1
                return (.strays, last)
            }
            return start(packet)
        }
        expectedAfterLeap = nil
        let ticks = Int(Int32(bitPattern: packet.timestamp &- lastTimestamp))
        last.sequence &+= distance
        last.mediaTime &+= ticks &* AudioFormat.rateHz / max(rateHz, 1)
        lastSequence = sequence
        lastTimestamp = packet.timestamp
        return (.continues, last)
    }

    /// The RTP timestamp of a media time, on a clock of `rateHz`.
    func timestamp(of mediaTime: Int, rateHz: Int) -> UInt32 {
        lastTimestamp &+ UInt32(truncatingIfNeeded: (mediaTime &- last.mediaTime) &* rateHz / AudioFormat.rateHz)
    }

    private mutating func start(_ packet: AudioPacket) -> (verdict: Verdict, place: Place) {
        ssrc = packet.ssrc
        expectedAfterLeap = nil
        lastSequence = SequenceNumber(packet.sequenceNumber)
        lastTimestamp = packet.timestamp
        last = Place(sequence: Int(packet.sequenceNumber), mediaTime: Int(packet.timestamp))
        return (.starts, last)
    }
}
