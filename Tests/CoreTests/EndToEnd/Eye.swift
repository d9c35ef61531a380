import ControlClient
import ControlProtocol
import Devices
import Glibc
import MediaEngine
import Primitives

/// An eye at a core's screen: sees the pictures that a console is shown.
final class Eye {
    private var subscription: PictureSubscription
    private var picture = RGBPicture(width: 0, height: 0)

    /// Looks at the pictures of one person; `me` is one's own.
    init(_ core: SoundingCore, at participant: String, width: Int, height: Int) throws {
        let wish = VideoWish(participant: participant, width: width, height: height)
        try core.call("video.show", ["pictures": .array([.string(wish.text)])])
        subscription = try PictureSubscription([wish], descriptors: core.connection.takeDescriptors())
    }

    /// One picture that was seen.
    struct Sight {
        /// `nil`: it carries none.
        var timecode: Timecode?
        /// Of the picture before it was scaled for the eye.
        var source: (width: Int, height: Int)
        var time: MonoTime
        /// The means of red, green and blue.
        var color: (red: Int, green: Int, blue: Int)
    }

    /// The next picture; `nil`: none comes.
    func next(within limit: Duration = .seconds(20)) -> Sight? {
        let deadline = MonoTime.now() + limit
        while true {
            subscription.quiet()
            if let source = subscription.take(0, into: &picture) { return sight(source) }
            let left = Int32((deadline - .now()).milliseconds)
            guard left > 0 else { return nil }
            var poller = pollfd(fd: subscription.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, left)
        }
    }

    /// Whether a picture comes to be seen that `condition` holds of.
    func waits(within limit: Duration = .seconds(60), for condition: (Sight) -> Bool) -> Bool {
        let deadline = MonoTime.now() + limit
        while MonoTime.now() < deadline, let sight = next(within: deadline - .now()) {
            if condition(sight) { return true }
        }
        return false
    }

    /// The next pictures; fewer: no more came.
    func next(_ count: Int) -> [Sight] {
        var sights: [Sight] = []
        while sights.count < count, let sight = next() { sights.append(sight) }
        return sights
    }

    /// Everything that is seen for so long.
    func watch(_ span: Duration) -> [Sight] {
        let deadline = MonoTime.now() + span
        var sights: [Sight] = []
        while MonoTime.now() < deadline, let sight = next(within: deadline - .now()) { sights.append(sight) }
        return sights
    }

    private func sight(_ source: (width: Int, height: Int)) -> Sight {
        let size = VideoSize(width: picture.width, height: picture.height)
        var frame = VideoFrame.black(size, time: .now())
        var sums = (red: 0, green: 0, blue: 0)
        for pixel in 0..<size.area {
            let (red, green, blue) = (
                Int(picture.bytes[pixel * 3]), Int(picture.bytes[pixel * 3 + 1]), Int(picture.bytes[pixel * 3 + 2])
            )
            frame.bytes[pixel] = UInt8((299 * red + 587 * green + 114 * blue) / 1000)
            sums = (sums.red + red, sums.green + green, sums.blue + blue)
        }
        let mean = (red: sums.red / size.area, green: sums.green / size.area, blue: sums.blue / size.area)
        return Sight(timecode: Timecode(in: frame), source: source, time: frame.time, color: mean)
    }
}
