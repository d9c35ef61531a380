import MediaEngine
import Primitives

/// Brings the frames of a tap into a file, in their places: what is missing between two becomes silence, of a minute at
/// the most.
///
/// Lives on the recorder's thread.
final class RecordingWriter: @unchecked Sendable {
    // unchecked: made before the thread is, and touched by it alone from then on.

    /// Frames that are written at a time.
    private static let batchLimit = 100
    /// Of a longer pause so many frames are kept.
    private static let longestSilence: Int64 = 6000
    private static let silence = [Float](repeating: 0, count: AudioFormat.frameSampleCount)

    private var file: SoundFile?
    private let frames: SPSCRing<RecordedFrame>
    private var samples: [Float] = []
    private var frame = RecordingWriter.silence
    private var next: Int64 = 0
    /// Frames of pauses that were left out.
    private var skipped: Int64 = 0
    private var written = 0
    private var framesToUpdate = RecordingWriter.batchLimit

    init(file: consuming SoundFile, frames: SPSCRing<RecordedFrame>) {
        self.file = consume file
        self.frames = frames
    }

    /// What is in the file.
    var duration: Duration {
        AudioFormat.frameDuration * written
    }

    /// Writes all that waits.
    func drain() throws(UserFacingError) {
        while let index = pop() {
            skipped += max(0, index - skipped - next - Self.longestSilence)
            while next < index - skipped { try append(Self.silence) }
            if next == index - skipped { try append(frame) }
        }
        try flush()
    }

    func close() {
        file = nil
    }

    /// Takes the oldest frame that waits into `frame`. Gives its place.
    private func pop() -> Int64? {
        var index: Int64?
        frames.pop { header, bytes in
            index = header.index
            frame.withUnsafeMutableBytes {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix($0.count)))
            }
        }
        return index
    }

    private func append(_ frame: [Float]) throws(UserFacingError) {
        samples += frame
        next += 1
        if samples.count >= Self.batchLimit * AudioFormat.frameSampleCount { try flush() }
    }

    private func flush() throws(UserFacingError) {
        guard !samples.isEmpty else { return }
        let count = samples.count / AudioFormat.frameSampleCount
        framesToUpdate -= count
        defer { samples.removeAll(keepingCapacity: true) }
        try file?.append(samples)
        written += count
        guard framesToUpdate <= 0 else { return }
        framesToUpdate = Self.batchLimit
        file?.update()
    }
}
