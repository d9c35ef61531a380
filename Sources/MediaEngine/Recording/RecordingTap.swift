package import Primitives

/// A frame of 480 samples on its way to a recording; they travel beside it.
package struct RecordedFrame: Sendable, BitwiseCopyable {
    /// Its place in the recording, in frames of 10 ms. What is left out between two was lost, or the devices stood still.
    package var index: Int64

    package init(index: Int64) {
        self.index = index
    }
}

/// Takes the mix of a call on the audio thread, for whoever writes it to a file on a thread of its own.
///
/// Playback is the clock: each frame that is rendered makes one of the recording, together with one of the frames that
/// were sent, which wait in a short queue (`SentFrames`). It takes no lock and no memory.
package final class RecordingTap: @unchecked Sendable {
    // unchecked: everything but the ring is touched by the audio thread alone; the ring is safe for one thread on each
    // side.

    /// A pause of the device longer than this is kept as a pause; shorter ones are its bursts.
    static let longestBurst = Duration.milliseconds(500)

    /// The frames, for the one who writes them: five seconds at the most.
    package let frames = SPSCRing<RecordedFrame>(capacity: 500, payloadCapacity: AudioFormat.frameSampleCount * 4)
    private let frame: UnsafeMutableBufferPointer<Float>
    private let sent = SentFrames()
    private var limiter = SoftLimiter()
    private var index: Int64 = 0
    private var last: MonoTime?

    package init() {
        frame = .allocate(capacity: AudioFormat.frameSampleCount)
        frame.initialize(repeating: 0)
    }

    deinit {
        frame.deallocate()
    }

    /// Takes a frame as it is sent. Audio thread.
    func send(_ samples: UnsafeBufferPointer<Float>) {
        sent.append(samples)
    }

    /// Makes the next frame of what is heard, which `fill` writes, and of what was sent. Audio thread.
    func hear(at now: MonoTime, fill: (UnsafeMutableBufferPointer<Float>) -> Void) {
        if let last, now - last > Self.longestBurst {
            index += (now - last).nanoseconds / AudioFormat.frameDuration.nanoseconds - 1
        }
        last = now
        fill(frame)
        sent.addNext(to: frame)
        limiter.process(frame)
        frames.push(RecordedFrame(index: index), UnsafeRawBufferPointer(frame))
        index += 1
    }
}
