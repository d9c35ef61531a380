import MediaEngine
import Primitives

/// The way from one device's thread to the client; without a client there is silence. Everything here happens with the
/// main loop's lock held, so that whoever takes the client away knows that it is called no more.
final class ClientTurnstile {
    /// Whether there is no output whose clock asks for sound, so that the input's has to.
    var captureDrivesPlayback = false
    private var client: (any AudioClient)?
    private let unheard = UnsafeMutableBufferPointer<Float>.allocate(capacity: AudioFormat.frameSampleCount)

    deinit {
        unheard.deallocate()
    }

    func admit(_ client: (any AudioClient)?) {
        self.client = client
    }

    func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        guard let client else { return }
        client.captured(frame, latency: latency, at: now)
        if captureDrivesPlayback { client.render(into: unheard, latency: .zero, at: now) }
    }

    func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        if let client {
            client.render(into: frame, latency: latency, at: now)
        } else {
            frame.update(repeating: 0)
        }
    }
}
