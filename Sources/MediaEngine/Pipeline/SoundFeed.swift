package import Primitives
import Synchronization

/// Sound that is sent beside the microphone's, such as a clip's: one thread appends frames of 10 ms with the times that
/// they belong to, and the audio thread takes each at its time. It takes no lock and no memory there.
package final class SoundFeed: @unchecked Sendable {
    // unchecked: the ring is safe for one thread on each side; everything else is touched by the audio thread alone.

    /// What travels beside the samples of a frame.
    private struct Header: Sendable, BitwiseCopyable {
        /// When its first sample is due.
        var due: MonoTime
        /// How often the sound had begun anew before it.
        var pass: Int
    }

    /// So far a frame may lie beside its time while others follow each other; the devices' bursts are shorter.
    static let tolerance = Duration.milliseconds(60)
    /// So far the first one may.
    static let onsetTolerance = Duration.milliseconds(10)

    private let pass = Atomic<Int>(0)
    private let frames = SPSCRing<Header>(capacity: 64, payloadCapacity: AudioFormat.frameSampleCount * 4)
    private let next: UnsafeMutableBufferPointer<Float>
    /// What `next` is; `nil`: it has been taken.
    private var waiting: Header?
    private var isPlaying = false

    package init() {
        next = .allocate(capacity: AudioFormat.frameSampleCount)
        next.initialize(repeating: 0)
    }

    deinit {
        next.deallocate()
    }

    /// Appends a frame of 480 samples whose first one belongs to `due`. One that finds no room is lost: nobody takes any.
    package func append(_ samples: UnsafeBufferPointer<Float>, due: MonoTime) {
        frames.push(Header(due: due, pass: pass.load(ordering: .relaxed)), UnsafeRawBufferPointer(samples))
    }

    /// Has what was appended and not yet taken left out: the sound begins anew.
    package func beginAnew() {
        pass.wrappingAdd(1, ordering: .releasing)
    }

    /// Adds the frame that belongs to `time` to `frame`; what is too late for it is left out. Returns whether there was
    /// one. Audio thread.
    func addNext(to frame: UnsafeMutableBufferPointer<Float>, at time: MonoTime) -> Bool {
        let pass = pass.load(ordering: .acquiring)
        while let header = waiting ?? pop() {
            let tolerance = isPlaying ? Self.tolerance : Self.onsetTolerance
            let isStale = header.pass < pass
            if !isStale, header.due > time + tolerance { break }
            waiting = nil
            if !isStale, header.due >= time - tolerance {
                for index in 0..<min(frame.count, next.count) { frame[index] += next[index] }
                isPlaying = true
                return true
            }
            isPlaying = false
        }
        isPlaying = false
        return false
    }

    private func pop() -> Header? {
        frames.pop { header, bytes in
            waiting = header
            let samples = UnsafeRawBufferPointer(rebasing: bytes.prefix(next.count * 4))
            UnsafeMutableRawBufferPointer(next).copyMemory(from: samples)
        }
        return waiting
    }
}
