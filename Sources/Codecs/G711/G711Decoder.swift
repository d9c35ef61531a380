import MediaEngine
import Primitives

/// G.711 into the 48 kHz path: expanded and band-limited to its 4 kHz.
package final class G711Decoder: AudioDecoder {
    /// Samples at 48 kHz for each at 8 kHz.
    private static let ratio = AudioFormat.rateHz / 8000

    private let law: CompandingLaw
    private var resampler: Resampler
    private let narrow: UnsafeMutableBufferPointer<Float>

    /// - Throws: `CodecError` when memory lacks.
    package init(_ law: CompandingLaw) throws {
        self.law = law
        resampler = try Resampler(fromHz: 8000, toHz: AudioFormat.rateHz)
        narrow = .allocate(capacity: AudioFormat.maximumPacketSampleCount / Self.ratio)
        narrow.initialize(repeating: 0)
    }

    deinit {
        narrow.deallocate()
    }

    package func sampleCount(of payload: UnsafeRawBufferPointer) -> Int {
        payload.count <= narrow.count ? payload.count * Self.ratio : 0
    }

    package func decode(_ payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        let count = sampleCount(of: payload)
        guard count > 0, count <= samples.count else { return 0 }
        for index in 0..<payload.count {
            narrow[index] = Float(law.expand(payload[index])) / 32_768
        }
        let input = UnsafeBufferPointer(rebasing: narrow[..<payload.count])
        return resampler.process(input, into: samples).written
    }

    package func hasRedundancy(_ payload: UnsafeRawBufferPointer) -> Bool {
        false
    }

    package func isSilent(_ payload: UnsafeRawBufferPointer) -> Bool {
        false
    }

    package func decodeRedundancy(
        in payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        0
    }

    /// Waveform codecs know nothing of what comes next.
    package func conceal(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        0
    }

    package func reset() {
        resampler.reset()
    }
}
