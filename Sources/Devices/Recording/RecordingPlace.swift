import Glibc
import Primitives

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
        if case .folder(let folder, _) = self { try Directories.makeMissing(folder) }
        var number = 1
        while true {
            let path = path(number)
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 { return (path, descriptor) }
            guard errno == EEXIST, case .folder = self else { throw Self.refusal(path, errno) }
            number += 1
        }
    }

    /// The name that is tried as the `number`th.
    private func path(_ number: Int) -> String {
        switch self {
        case .file(let path, _): path
        case .folder(let folder, let name): "\(folder)/\(name)" + (number == 1 ? "" : " \(number)") + ".opus"
        }
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
