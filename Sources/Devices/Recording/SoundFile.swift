import CSndfile
import Glibc
import MediaEngine
import Primitives

/// A sound file of one channel at 48 kHz that is being written; what is in it can be read at any time, but for the last
/// second or so.
struct SoundFile: ~Copyable {
    private let file: OpaquePointer
    let path: String

    /// Makes the file.
    init(_ place: RecordingPlace) throws(UserFacingError) {
        let (path, descriptor) = try place.create()
        var info = SF_INFO()
        info.samplerate = Int32(AudioFormat.rateHz)
        info.channels = 1
        info.format = place.format.code
        guard let file = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 1) else {
            // The library has closed it.
            let why = String(cString: sf_strerror(nil))
            unlink(path)
            throw UserFacingError(
                "cannot record in \(path)", why: why, remedy: "look at the disk, or choose another folder or ending")
        }
        self.file = file
        self.path = path
    }

    deinit {
        sf_close(file)
    }

    /// Appends samples.
    func append(_ samples: [Float]) throws(UserFacingError) {
        let count = sf_write_float(file, samples, sf_count_t(samples.count))
        guard count == samples.count else { throw failure }
    }

    /// Brings the header up to date, where the format has the length in it.
    func update() {
        sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    }

    private var failure: UserFacingError {
        // Not every encoder passes on why its file could not be written.
        let said = sf_error(file) == 0 ? "the file takes no more" : String(cString: sf_strerror(file))
        let why = said + "; the disk may be full"
        return UserFacingError(
            "the recording has ended", why: why, remedy: "look at the disk; \(path) keeps what was recorded")
    }
}
