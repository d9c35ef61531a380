package import Primitives

/// Where a device without hardware takes its microphone's sound from. Called on the device's real-time thread, every
/// 10 ms: no lock, no allocation.
package protocol SampleSource: AnyObject, Sendable {
    /// Fills all 480 samples of `frame`.
    func fill(_ frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime)
}

/// What hears everything that a device without hardware plays. Called on the device's real-time thread, every 10 ms:
/// no lock, no allocation.
package protocol SampleSink: AnyObject, Sendable {
    /// Takes 480 samples, valid during the call.
    func take(_ frame: UnsafeBufferPointer<Float>, at now: MonoTime)
}
