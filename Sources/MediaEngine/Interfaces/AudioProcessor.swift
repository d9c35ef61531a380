/// Echo cancellation, noise suppression and gain control. Called on the audio thread only, with frames of 10 ms.
package protocol AudioProcessor: AnyObject {
    /// Hears what is about to be played.
    func analyzePlayback(_ frame: UnsafeBufferPointer<Float>)

    /// Cleans a captured frame in place. `delay` is the time from `analyzePlayback` of a sound to its capture, as the
    /// devices report it.
    func processCapture(_ frame: UnsafeMutableBufferPointer<Float>, delay: Duration)

    /// Switches the stages on and off from the next frame on.
    func apply(_ settings: AudioProcessingSettings)
}

/// Which stages of the capture processing run.
package struct AudioProcessingSettings: Hashable, Sendable, BitwiseCopyable {
    package var cancelsEcho = true
    package var suppressesNoise = true
    package var controlsGain = true

    package init() {}
}
