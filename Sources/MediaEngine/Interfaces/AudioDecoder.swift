/// Turns payloads into sound at 48 kHz mono. Called on the audio thread only; allocates nothing.
package protocol AudioDecoder: AnyObject {
    /// Samples that `payload` carries, or 0 when it is malformed.
    func sampleCount(of payload: UnsafeRawBufferPointer) -> Int

    /// Decodes `payload`. Returns the number of samples written, or 0 when it is malformed.
    func decode(_ payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>) -> Int

    /// Whether `payload` carries a redundant copy of the frame before it.
    func hasRedundancy(_ payload: UnsafeRawBufferPointer) -> Bool

    /// Whether the codec took what `payload` carries for silence, so that nothing is repeated whatever is lost.
    func isSilent(_ payload: UnsafeRawBufferPointer) -> Bool

    /// Decodes, from the redundancy in `payload`, the `samples.count` samples that come before it. Returns the number
    /// written, or 0 when there is none.
    func decodeRedundancy(in payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>) -> Int

    /// Extrapolates the sound by `samples.count` samples (a multiple of 120). Returns the number written; 0: this codec
    /// cannot, and the jitter buffer conceals by itself.
    func conceal(into samples: UnsafeMutableBufferPointer<Float>) -> Int

    /// Forgets the past, as at a new stream.
    func reset()
}
