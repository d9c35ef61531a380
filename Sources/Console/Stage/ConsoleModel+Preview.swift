import ControlProtocol

/// One's own picture, to be seen here alone.
extension ConsoleModel {
    mutating func setPreviewing(_ isWanted: Bool) {
        ask("video.preview", ["on": .bool(isWanted)], .plain("no preview"))
    }

    /// Whether the others are shown one's own picture.
    var isSeenByOthers: Bool {
        switch state.video.shown {
        case .camera, .share: true
        case .off, nil: false
        }
    }

    /// Why the preview has no picture; `nil`: it has one, or is about to.
    var whyNoPreview: String? {
        let video = state.video
        guard let source = video.source else {
            return "nothing is chosen; \(keys.key(of: "source")) chooses, \(keys.key(of: "show")) shares"
        }
        if let reason = source.reason { return reason }
        return video.isClosed ? "the camera is closed; \(keys.key(of: "close-camera")) opens it" : nil
    }

    /// While this console is stopped as a job nobody looks: a camera is not open for that, nor opened again unasked.
    mutating func endPreview() {
        // One may have been asked for and not be answered yet.
        if state.video.source != nil { ask("video.preview", ["on": .bool(false)], .quiet) }
    }
}
