/// Who takes the pictures of a source, on the source's own thread.
package protocol CaptureClient: AnyObject, Sendable {
    /// Takes one picture.
    func captured(_ frame: VideoFrame)

    /// The source has ended or failed; `reason` says why, for people. No picture follows.
    func captureEnded(reason: String)
}

/// Size and rate of a source.
package struct CaptureFormat: Hashable, Sendable, BitwiseCopyable {
    /// No source gives more frames a second (Q49).
    package static let maximumFrameRate = 30
    /// What is asked for when nobody says otherwise (Q23).
    package static let standard = CaptureFormat(size: VideoSize(width: 640, height: 480), frameRate: 30)

    package var size: VideoSize
    /// Frames a second.
    package var frameRate: Int

    package init(size: VideoSize, frameRate: Int) {
        self.size = size
        self.frameRate = frameRate
    }
}

/// Where pictures come from: a camera, a test pattern, a file, a terminal. All methods are called on one thread.
package protocol CaptureSource: AnyObject {
    /// What it shows, for the encoder.
    var content: VideoEncoderSettings.ContentHint { get }

    /// Begins to give pictures to `client`, as near to `wanted` as the source can. Returns what it gives.
    func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat

    /// Stops, and waits until the client is called no more.
    func stop()
}
