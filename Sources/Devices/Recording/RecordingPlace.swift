import Glibc
package import Primitives

/// Where a recording goes.
package enum RecordingPlace: Sendable {
    /// A file that is not there yet.
    case file(String, SoundFileFormat)
    /// In a folder, which is made where it is missing: the first of `NAME.opus`, `NAME 2.opus`… that is not there yet.
    case folder(String, name: String)

    var format: SoundFileFormat {
        switch self {
        case .file(_, let format): format
        case .folder: .opus
        }
    }

    /// Makes the file (0600); one that exists, or a link in its place, is left as it is.
    func create() throws(UserFacingError) -> (path: String, descriptor: Int32) {
        switch self {
        case .file(let path, _):
            return (path, try Self.create(path, passingOver: nil) ?? -1)
        case .folder(let folder, let name):
            if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.refusal(folder, errno) }
            var path = "\(folder)/\(name).opus"
            var number = 1
            while true {
                if let descriptor = try Self.create(path, passingOver: EEXIST) { return (path, descriptor) }
                number += 1
                path = "\(folder)/\(name) \(number).opus"
            }
        }
    }

    /// - Returns: `nil`: it failed with the code that is passed over.
    private static func create(_ path: String, passingOver code: Int32?) throws(UserFacingError) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { return descriptor }
        guard errno == code else { throw refusal(path, errno) }
        return nil
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
