/// Who takes the pictures of a source, on the source's own thread.
package protocol CaptureClient: AnyObject, Sendable {
    /// Takes one picture.
    func captured(_ frame: VideoFrame)

    /// The source gives no pictures for now, such as a camera that was unplugged; `reason` says why, for people. The
    /// next picture says that it goes on.
    func captureInterrupted(reason: String)

    /// The source has ended or failed; `reason` says why, for people. No picture follows.
    func captureEnded(reason: String)
}

/// Size and rate of a source.
package struct CaptureFormat: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
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

    /// `640x480@30`, as the text report writes it (Q67).
    package var description: String {
        "\(size.width)x\(size.height)@\(frameRate)"
    }
}

/// Where pictures come from: a camera, a test pattern, a file, a terminal. All methods are called on one thread.
package protocol CaptureSource: AnyObject {
    /// What it shows, for the encoder.
    var content: VideoEncoderSettings.ContentHint { get }

    /// Whether its edges say something, as a screen's and a film's do: it is scaled and never cropped.
    var isShownWhole: Bool { get }

    /// What no two sources can have at once, such as a camera's path; `nil`: nothing.
    var exclusiveResource: String? { get }

    /// Pictures that were lost before they could be given, since the start (Q59). Any thread.
    var droppedCount: Int { get }

    /// What sounds with its pictures while it runs; `nil`: nothing.
    var sound: SoundFeed? { get }

    /// Begins to give pictures to `client`, as near to `wanted` as the source can. Returns what it gives.
    func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat

    /// Stops, and waits until the client is called no more.
    func stop()

    /// Takes what is typed, where the source is a program that can be typed into.
    func type(_ bytes: [UInt8])
}

extension CaptureSource {
    package var isShownWhole: Bool { content == .text }
    package var exclusiveResource: String? { nil }
    package var droppedCount: Int { 0 }
    package var sound: SoundFeed? { nil }
    package func type(_ bytes: [UInt8]) {}
}
