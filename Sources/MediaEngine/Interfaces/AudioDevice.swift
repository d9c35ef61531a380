package import Primitives

/// What an audio device calls, on its own real-time thread, every 10 ms of its own clock. Nothing here blocks, locks or
/// allocates.
package protocol AudioClient: AnyObject, Sendable {
    /// Takes 480 captured samples. `latency` is their age: how long ago the first of them was sounded.
    func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime)

    /// Fills 480 samples to be played. `latency` is how long it takes until the first of them sounds.
    func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime)
}

/// A pair of input and output that drives one client. All methods are called on the engine thread.
package protocol AudioDevice: AnyObject {
    /// Starts calling `client`; `capture` false leaves the input closed.
    func start(_ client: any AudioClient, capture: Bool)

    /// Opens or closes the input; playback is not disturbed (A20.4).
    func setCapture(_ isOpen: Bool)

    /// Stops and waits until the client is called no more.
    func stop()
}
