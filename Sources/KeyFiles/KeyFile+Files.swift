import Glibc
package import Primitives

extension KeyFile {
    /// Reads the file at `path`; a file that does not exist reads as an empty one.
    package static func load(path: String, unnamedGroup: String? = nil) throws(UserFacingError) -> KeyFile {
        do throws(RegularFileError) {
            return KeyFile(
                bytes: try RegularFile.read(path, limit: KeyFileScanner.byteLimit + 1), name: path,
                unnamedGroup: unnamedGroup)
        } catch {
            switch error {
            case .failed(ENOENT), .failed(ENOTDIR): return KeyFile(bytes: [], name: path)
            case .failed:
                throw UserFacingError(
                    "cannot read \(path)", why: "\(error)", remedy: "check its owner and permissions")
            case .notRegular: throw UserFacingError("cannot read \(path)", why: "\(error)", remedy: "move it away")
            }
        }
    }

    /// Saves to `path` whole or not at all: a new file (0600) beside it takes its place. Where `path` is a link, the file
    /// that it names is replaced and the link stays.
    package func save(to path: String) throws(UserFacingError) {
        guard isWhole else {
            throw UserFacingError("cannot save \(path)", why: "it was not read whole", remedy: "mend or remove it")
        }
        let target = Self.resolved(path)
        var template = Array((target + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw Self.failure("cannot save \(path)", "check the directory's permissions and the disk")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let complete = writeWhole(text.utf8, to: descriptor) && fsync(descriptor) == 0
        let code = errno
        let closed = close(descriptor) == 0
        guard complete, closed, rename(temporary, target) == 0 else {
            if !complete { errno = code }
            let error = Self.failure("cannot save \(path)", "check the disk; the old file is untouched")
            unlink(temporary)
            throw error
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func failure(_ what: String, _ remedy: String) -> UserFacingError {
        UserFacingError(what, why: String(cString: strerror(errno)), remedy: remedy)
    }
}
