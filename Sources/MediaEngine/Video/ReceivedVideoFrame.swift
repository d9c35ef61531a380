package import Primitives

/// A frame for the decoder. Frames come in the order in which they are to be decoded, none twice.
package struct ReceivedVideoFrame: Hashable, Sendable {
    package var codec: VideoCodec
    package var bytes: [UInt8]
    package var isKeyFrame: Bool
    /// On the sender's clock of 90 kHz.
    package var timestamp: UInt32
    /// When the picture is to be shown. May lie in the past; then it is shown at once, unless a newer one is there.
    package var renderTime: MonoTime
    /// When its first packet came.
    package var firstArrival: MonoTime
    package var packetCount: Int
}
