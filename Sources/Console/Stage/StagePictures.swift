package import ControlProtocol
package import Primitives

/// Where the stage's pictures come from. For one thread; nothing here waits.
package protocol StagePictures: AnyObject {
    /// For `poll`: readable when there may be a picture that was not taken; −1: nothing can come now.
    var descriptor: Int32 { get }

    /// Says what the stage shows: pictures of these come from now on, and of nobody else. None: nothing is shown.
    func want(_ wishes: [VideoWish])

    /// Copies the newest picture of a participant, unless it was taken before. Returns the size that it had before it was
    /// scaled, which decides its shape; `nil`: there is no new one.
    func take(_ participant: String, into picture: inout RGBPicture) -> (width: Int, height: Int)?

    /// Makes `descriptor` unreadable until another picture comes.
    func quiet()
}
