import CSndfile
import Glibc
import MediaEngine
import Primitives

/// The sound of a clip: a file that is read frame after frame of 10 ms, as one channel.
struct ClipSound: ~Copyable {
    private let file: OpaquePointer
    private let channelCount: Int
    private var interleaved: [Float]

    /// The file beside `clip` that has its name and the ending of a sound file; `nil`: there is none.
    static func path(beside clip: String) -> String? {
        guard let dot = clip.lastIndex(of: "."), !clip[dot...].contains("/") else { return nil }
        let endings = [SoundFileFormat.wav, .flac, .opus, .ogg]
        return endings.lazy.map { clip[...dot] + $0.rawValue }.first { access($0, F_OK) == 0 }
    }

    init(_ path: String) throws(UserFacingError) {
        let descriptor: Int32
        do {
            descriptor = try RegularFile.open(path)
        } catch {
            throw Self.failure(path, error.description)
        }
        var info = SF_INFO()
        guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) else {
            // The library has closed it.
            throw Self.failure(
                path, String(cString: sf_strerror(nil)), "make it anew, or move it away: then the clip is silent")
        }
        guard info.samplerate == AudioFormat.rateHz, info.seekable != 0 else {
            sf_close(file)
            throw Self.failure(
                path, "it has \(info.samplerate) samples a second, and \(AudioFormat.rateHz) are played",
                "convert it: ffmpeg -i FILE -ar \(AudioFormat.rateHz) OUT.wav")
        }
        self.file = file
        channelCount = Int(info.channels)
        interleaved = [Float](repeating: 0, count: channelCount * AudioFormat.frameSampleCount)
    }

    deinit {
        sf_close(file)
    }

    /// Reads the next frame; what the file lacks of it is silence. Returns whether the file had anything of it.
    mutating func read(into frame: inout [Float]) -> Bool {
        let count = max(0, Int(sf_readf_float(file, &interleaved, sf_count_t(frame.count))))
        for index in frame.indices {
            var sum: Float = 0
            if index < count {
                for channel in 0..<channelCount { sum += interleaved[index * channelCount + channel] }
            }
            // A file of floats may hold anything.
            frame[index] = sum.isFinite ? (sum / Float(channelCount)).clamped(to: -1...1) : 0
        }
        return count > 0
    }

    /// Begins anew.
    func rewind() {
        sf_seek(file, 0, SEEK_SET)
    }

    private static func failure(_ path: String, _ why: String, _ remedy: String = "") -> UserFacingError {
        UserFacingError("cannot play \(path)", why: why, remedy: remedy)
    }
}
