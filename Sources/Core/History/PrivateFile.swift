import Glibc
import Primitives

/// Files that only the user may read, written whole or not at all.
enum PrivateFile {
    /// Writes `bytes` to a new file (0600) that then takes the place of `path`.
    static func write(_ bytes: [UInt8], to path: String) throws(UserFacingError) {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        guard writeWhole(bytes, to: descriptor) else {
            let error = failure(path)
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
        guard rename(temporary, path) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> UserFacingError {
        UserFacingError(
            "cannot write \(path)", why: String(cString: strerror(errno)), remedy: "look at the disk and its rights")
    }
}
