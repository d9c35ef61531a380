/// The one format of the audio path: 48 kHz, mono, 32-bit float in −1…1, in frames of 10 ms.
package enum AudioFormat {
    package static let rateHz = 48_000
    /// Samples in one 10 ms frame.
    package static let frameSampleCount = 480
    package static let frameDuration = Duration.milliseconds(10)
    /// The longest payload that one packet can carry (RFC 6716, section 3.2.1: 1,275 bytes a frame; the MTU rules).
    package static let maximumPayloadByteCount = 1275
    /// The longest time that one packet can carry (RFC 6716: 120 ms).
    package static let maximumPacketSampleCount = 5760
}
