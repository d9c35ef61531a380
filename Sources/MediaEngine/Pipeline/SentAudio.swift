package import Primitives

/// One encoded packet on its way to the engine thread; its payload travels beside it.
package struct SentAudio: Sendable, BitwiseCopyable {
    /// The number of the encoder that made it.
    package var encoder: Int32
    /// The first sample's place on the stream's 48 kHz clock, which runs on through mutes and silence. Wraps.
    package var timestamp: UInt32
    /// Samples at 48 kHz that it carries.
    package var sampleCount: Int32
    /// Whether sound begins here after none was sent (RFC 3551, section 4.1).
    package var marker: Bool
    /// RMS of the packet before encoding (RFC 6464).
    package var level: AudioLevel
    /// Whether a voice is in it: the V bit of RFC 6464.
    package var hasVoice: Bool
    /// When its first sample was sounded.
    package var captureTime: MonoTime

    package init(
        encoder: Int32 = 0, timestamp: UInt32, sampleCount: Int32, marker: Bool, level: AudioLevel, hasVoice: Bool,
        captureTime: MonoTime
    ) {
        self.encoder = encoder
        self.timestamp = timestamp
        self.sampleCount = sampleCount
        self.marker = marker
        self.level = level
        self.hasVoice = hasVoice
        self.captureTime = captureTime
    }
}
