import MediaEngine

/// A codec for tests: a payload names a stretch of an endless signal, so that every sample played can be told.
///
/// Payload: flags (1: carries redundancy, 2: malformed inside, 4: silence), samples (16 bits), first sample (64 bits).
final class SignalDecoder: AudioDecoder {
    private let signal: (Int) -> Float
    private(set) var decodedCount = 0
    private(set) var redundancyCount = 0
    private(set) var resetCount = 0

    init(signal: @escaping (Int) -> Float) {
        self.signal = signal
    }

    static func payload(
        from first: Int, count: Int, hasRedundancy: Bool = false, isBroken: Bool = false, isSilent: Bool = false
    ) -> [UInt8] {
        let flags = UInt8(hasRedundancy ? 1 : 0) | UInt8(isBroken ? 2 : 0) | UInt8(isSilent ? 4 : 0)
        let start = UInt64(bitPattern: Int64(first))
        let place = (0..<8).map { UInt8(truncatingIfNeeded: start >> (56 - 8 * $0)) }
        return [flags, UInt8(count >> 8), UInt8(count & 0xFF)] + place
    }

    func sampleCount(of payload: UnsafeRawBufferPointer) -> Int {
        payload.count >= 11 ? Int(payload[1]) << 8 | Int(payload[2]) : 0
    }

    func decode(_ payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        let count = sampleCount(of: payload)
        guard count > 0, payload[0] & 2 == 0 else { return 0 }
        decodedCount += 1
        fill(samples, from: first(of: payload), count: count)
        return count
    }

    func hasRedundancy(_ payload: UnsafeRawBufferPointer) -> Bool {
        payload.count >= 11 && payload[0] & 1 != 0
    }

    func isSilent(_ payload: UnsafeRawBufferPointer) -> Bool {
        payload.count >= 11 && payload[0] & 4 != 0
    }

    func decodeRedundancy(
        in payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        guard hasRedundancy(payload) else { return 0 }
        redundancyCount += 1
        fill(samples, from: first(of: payload) - samples.count, count: samples.count)
        return samples.count
    }

    func conceal(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        0
    }

    func reset() {
        resetCount += 1
    }

    private func first(of payload: UnsafeRawBufferPointer) -> Int {
        var start: UInt64 = 0
        for index in 3..<11 { start = start << 8 | UInt64(payload[index]) }
        return Int(Int64(bitPattern: start))
    }

    private func fill(_ samples: UnsafeMutableBufferPointer<Float>, from first: Int, count: Int) {
        for index in 0..<count { samples[index] = signal(first + index) }
    }
}
