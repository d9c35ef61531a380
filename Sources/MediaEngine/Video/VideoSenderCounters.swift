/// What a sent stream has counted, under the names of webrtc-stats where it has them.
package struct VideoSenderCounters: Hashable, Sendable {
    package internal(set) var framesSent: UInt64 = 0
    package internal(set) var hugeFramesSent: UInt64 = 0
    package internal(set) var keyFramesSent: UInt64 = 0
    /// Of the frames sent, in the codec's own scale.
    package internal(set) var qpSum: UInt64 = 0
    /// Frames of a layer that this peer has no bandwidth for.
    package internal(set) var framesLeftOut: UInt64 = 0
    package internal(set) var nackCount: UInt64 = 0
    package internal(set) var retransmittedPacketCount: UInt64 = 0
    package internal(set) var retransmittedByteCount: UInt64 = 0
    /// Size of the last frame.
    package internal(set) var frameSize: VideoSize?
    private var meanFrameByteCount = 0.0

    package init() {}

    /// A frame of more than 2.5 times the mean is a huge one.
    mutating func count(_ frame: EncodedVideoFrame) {
        let byteCount = Double(frame.bytes.count)
        if framesSent > 0, byteCount > 2.5 * meanFrameByteCount { hugeFramesSent += 1 }
        meanFrameByteCount += (byteCount - meanFrameByteCount) / Double(min(framesSent + 1, 100))
        framesSent += 1
        keyFramesSent += frame.isKeyFrame ? 1 : 0
        qpSum += UInt64(max(0, frame.qp))
        frameSize = frame.size
    }
}
