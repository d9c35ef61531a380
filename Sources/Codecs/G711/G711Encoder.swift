package import MediaEngine
import Primitives

/// G.711 over the 48 kHz path: band-limited to 8 kHz and companded.
package final class G711Encoder: AudioEncoder {
    package let frameSampleCount: Int
    private let law: CompandingLaw
    private var resampler: Resampler
    private let narrow: UnsafeMutableBufferPointer<Float>

    /// - Parameter frameDuration: 10…60 ms, a multiple of 10.
    /// - Throws: `CodecError` when memory lacks.
    package init(_ law: CompandingLaw, frameDuration: Duration = .milliseconds(20)) throws {
        let frames = Int(frameDuration.milliseconds / 10).clamped(to: 1...6)
        self.law = law
        frameSampleCount = frames * AudioFormat.frameSampleCount
        resampler = try Resampler(fromHz: AudioFormat.rateHz, toHz: 8000)
        narrow = .allocate(capacity: frameSampleCount / 6)
        narrow.initialize(repeating: 0)
    }

    deinit {
        narrow.deallocate()
    }

    package func encode(
        _ frame: UnsafeBufferPointer<Float>, mayPause: Bool, into payload: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard frame.count == frameSampleCount, payload.count >= narrow.count else { return 0 }
        let written = resampler.process(frame, into: narrow).written
        for index in 0..<written {
            let scaled = (narrow[index] * 32_768).rounded().clamped(to: -32_768...32_767)
            payload[index] = law.compress(Int16(exactly: scaled) ?? 0)
        }
        return written
    }

    /// G.711 has one rate and sends silence too: there is nothing to set.
    package func apply(_ settings: AudioEncoderSettings) {}
}
