/// Evens out what the microphone's device brings in bursts, at the pace of another device.
///
/// Reading begins once there are four frames. When the writer's clock is the faster one the queue fills and its oldest
/// frames give way; when it is the slower one, or pauses, the queue runs empty, and reading waits for four frames again.
final class SentFrames {
    static let capacity = 16
    static let leastToBegin = 4

    private let samples: UnsafeMutableBufferPointer<Float>
    private var first = 0
    private(set) var count = 0
    private var isReading = false

    init() {
        samples = .allocate(capacity: Self.capacity * AudioFormat.frameSampleCount)
        samples.initialize(repeating: 0)
    }

    deinit {
        samples.deallocate()
    }

    func append(_ frame: UnsafeBufferPointer<Float>) {
        if count == Self.capacity { drop(count - Self.leastToBegin) }
        let start = (first + count) % Self.capacity * AudioFormat.frameSampleCount
        for index in 0..<min(frame.count, AudioFormat.frameSampleCount) { samples[start + index] = frame[index] }
        count += 1
    }

    /// Adds the next frame to `frame`; nothing while there is none.
    func addNext(to frame: UnsafeMutableBufferPointer<Float>) {
        if count == 0 { isReading = false }
        if count >= Self.leastToBegin { isReading = true }
        guard isReading else { return }
        let start = first * AudioFormat.frameSampleCount
        for index in 0..<min(frame.count, AudioFormat.frameSampleCount) { frame[index] += samples[start + index] }
        drop(1)
    }

    private func drop(_ number: Int) {
        first = (first + number) % Self.capacity
        count -= number
    }
}
