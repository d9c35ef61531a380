import CSndfile
import Glibc
import MediaEngine
import Primitives

/// A sound file of one channel at 48 kHz that is being written; what is in it can be read at any time, but for the last
/// second or so.
struct SoundFile: ~Copyable {
    private let file: OpaquePointer
    private let path: String

    /// Makes the file (0600); one that exists, or a link in its place, is left as it is.
    init(path: String, format: SoundFileFormat) throws(UserFacingError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.refusal(path, errno) }
        var info = SF_INFO()
        info.samplerate = Int32(AudioFormat.rateHz)
        info.channels = 1
        info.format = format.code
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

    private static func refusal(_ path: String, _ code: Int32) -> UserFacingError {
        let remedy =
            switch code {
            case EEXIST: "nothing is overwritten: choose another name"
            case ENOENT: "make its folder first"
            case ENOSPC, EDQUOT: "make room on the disk"
            case ENAMETOOLONG: "choose a shorter name"
            default: "choose another folder"
            }
        return UserFacingError("cannot record in \(path)", why: String(cString: strerror(code)), remedy: remedy)
    }
}
