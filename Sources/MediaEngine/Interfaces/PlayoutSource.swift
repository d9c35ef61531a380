package import Primitives

/// One participant's sound as the pipeline plays it: packets in, an even flow of frames out.
///
/// Made and released on the engine thread; between `AudioPipeline.addStream` and the release it is called on the audio
/// thread only, where it neither allocates nor blocks.
package protocol PlayoutSource: AnyObject {
    /// Takes one packet; `payload` is valid during the call only.
    func insert(_ packet: AudioPacket, payload: UnsafeRawBufferPointer)

    /// Fills one frame of 480 samples; with nothing to play, silence.
    func pull(into frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime)

    /// The RTP timestamp of the first sample of the last frame; `nil`: it was no sound of the sender's.
    var presentedTimestamp: UInt32? { get }

    /// What is added to the delay so that the sound comes with its picture.
    var syncDelay: Duration { get set }

    /// What has happened so far.
    var statistics: AudioReceiverStatistics { get }
}
