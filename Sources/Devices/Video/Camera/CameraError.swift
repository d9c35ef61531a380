import Glibc
import Primitives

/// A camera's refusals in words.
enum CameraError {
    /// `code`: an errno value of `function`.
    static func describe(_ code: Int32, _ function: String, camera: String) -> UserFacingError {
        let what = "cannot use the camera \(camera)"
        return switch code {
        case EBUSY:
            UserFacingError(what, why: "another program uses it", remedy: "close that program, or pick another camera")
        case ENOENT, ENODEV, ENXIO:
            UserFacingError(what, why: "it is not there", remedy: "plug it in")
        case EACCES, EPERM:
            UserFacingError(
                what, why: "this user may not open it", remedy: "add the user to the group video and log in again")
        case ENOSPC:
            UserFacingError(
                what, why: "the USB bus has no room for it", remedy: "ask for a smaller picture, or use another port")
        default:
            UserFacingError(what, why: "\(function): \(String(cString: strerror(code)))")
        }
    }
}
