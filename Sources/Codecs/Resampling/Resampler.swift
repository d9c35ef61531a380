import CSpeexDSP
import Primitives

/// libspeexdsp's band-limited resampler for one channel.
///
/// Keeps the end of what it was given, so that consecutive blocks join without a seam. `process` allocates nothing.
package struct Resampler: ~Copyable {
    private let state: OpaquePointer

    /// - Parameter quality: 0…10, length of the filter; 3 delays less than 1 ms at 8 kHz to 48 kHz and damps images by
    ///   about 60 dB.
    /// - Throws: `CodecError` when a rate is not positive or memory lacks.
    package init(fromHz: Int, toHz: Int, quality: Int = 4) throws {
        var status: Int32 = 0
        let state = speex_resampler_init(
            1, UInt32(fromHz.clamped(to: 0...768_000)), UInt32(toHz.clamped(to: 0...768_000)),
            Int32(quality.clamped(to: 0...10)), &status)
        guard let state else {
            throw CodecError(
                function: "speex_resampler_init", reason: String(cString: speex_resampler_strerror(status)))
        }
        self.state = state
    }

    deinit {
        speex_resampler_destroy(state)
    }

    /// Converts as much of `input` as fits into `output`. Returns how many samples were read and written.
    package mutating func process(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> (read: Int, written: Int) {
        guard let source = input.baseAddress, let target = output.baseAddress else { return (0, 0) }
        var read = UInt32(input.count)
        var written = UInt32(output.count)
        speex_resampler_process_float(state, 0, source, &read, target, &written)
        return (Int(read), Int(written))
    }

    /// Samples, at the output's rate, by which the output lags behind the input. They come out as the first zeros, so
    /// whole ratios give equally long blocks from the first on.
    package var latency: Int {
        Int(speex_resampler_get_output_latency(state))
    }

    /// Forgets the past, as at a new stream.
    package mutating func reset() {
        speex_resampler_reset_mem(state)
    }
}
