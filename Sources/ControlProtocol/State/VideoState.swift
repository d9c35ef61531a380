/// What is shown to the others, and what is wanted of theirs.
package struct VideoState: Codable, Hashable, Sendable {
    package var camera = CameraState.none
    /// What the others are shown; absent: this core cannot show anything.
    package var shown: VideoShown?
    /// Whether the user sends no picture; the source stays open, so that `v` is quick (A32).
    package var isMuted = true
    /// Whether the source is released (A31).
    package var isClosed = false
    /// What is chosen; absent: nothing.
    package var source: VideoSourceState?
    /// Whether it is wanted here, whether the others see it or not (A30).
    package var isPreviewing = false
    /// Whether the source gives pictures, to whomever: a camera's light is on; absent: it does not.
    package var isOpen: Bool?
    /// Whether nobody's picture is received (A173), and whether later joiners' are not (A34).
    package var isEveryoneHidden = false
    package var hidesJoiners = false
    /// Why less is sent than is wished: the network carries only sound, or only a small picture (A78).
    package var limit: VideoLimit?
    /// Captured pictures that could not be taken over since the source was opened (Q59).
    package var droppedCaptures = 0

    package init() {}
}

/// What the header says of the camera.
package enum CameraState: String, Codable, Hashable, Sendable {
    /// Nothing is chosen, or there is nothing to choose.
    case none
    /// Nothing is sent; the source may be open.
    case muted
    /// The source is released.
    case closed
    /// Others see it.
    case live
    /// The call is on hold.
    case onHold
    /// The source ended or is unplugged; `VideoSourceState.reason` says why.
    case lost
}

/// Why less is sent than is wished.
package enum VideoLimit: String, Codable, Hashable, Sendable {
    case smallPicture
    case soundOnly
}

/// A source of pictures.
package struct VideoSourceState: Codable, Hashable, Sendable {
    /// What `video.select` takes: `camera:NAME`, `pattern`, `file:PATH`, `terminal:COMMAND`.
    package var name: String
    /// The name for people.
    package var description: String
    /// Whether it is text rather than moving pictures: a shared terminal.
    package var isText: Bool?
    /// Whether it is a camera, which shows people themselves as a mirror does.
    package var isCamera: Bool?
    /// What it gives, in pixels and frames a second, once it is open.
    package var width: Int?
    package var height: Int?
    package var frameRate: Int?
    /// Why it gives nothing.
    package var reason: String?

    package init(name: String, description: String) {
        self.name = name
        self.description = description
    }
}

/// The picture that somebody else sends.
package struct PictureState: Codable, Hashable, Sendable {
    package enum Layer: String, Codable, Hashable, Sendable {
        case high
        case low
    }

    /// In pixels; 0: nothing has come.
    package var width: Int
    package var height: Int
    package var layer = Layer.high
    /// Whether the network forced a smaller picture, or none, on us (A79).
    package var limit: VideoLimit?

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
