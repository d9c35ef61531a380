import Primitives

/// Notices a microphone that gives nothing, and one that is muted while somebody talks.
struct MicrophoneWatch: Sendable, BitwiseCopyable {
    /// Frames of digital zeros after which the input counts as dead: 5 s.
    private static let deadFrameCount = 500
    /// Voiced frames within the last 50 that count as talking.
    private static let talkFrameCount = 25
    private static let window: UInt64 = (1 << 50) - 1

    private var zeroFrames = 0
    private var voiced: UInt64 = 0

    /// Whether 5 s of digital zeros have come.
    var isDead: Bool {
        zeroFrames >= Self.deadFrameCount
    }

    /// Whether half of the last half second under mute was voice.
    var isTalkingMuted: Bool {
        voiced.nonzeroBitCount >= Self.talkFrameCount
    }

    /// Takes a frame as it came from the device.
    mutating func receive(_ frame: UnsafeBufferPointer<Float>) {
        for sample in frame where sample != 0 {
            zeroFrames = 0
            return
        }
        zeroFrames += 1
    }

    /// Takes whether the processed frame holds a voice. Frames that are sent count as none.
    mutating func receive(hasVoice: Bool, isMuted: Bool) {
        voiced = isMuted ? (voiced << 1 | (hasVoice ? 1 : 0)) & Self.window : 0
    }
}
