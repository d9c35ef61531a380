import MediaEngine
import Primitives
import Reactor
import SDP
import Signaling

/// The pictures of a call: what a call needs of whatever shows and captures for it.
@EngineActor
protocol CallPictures: AnyObject {
    /// A peer's pictures can flow, or what is agreed on about them has changed.
    func agreed(with peer: PeerSession)
    /// A picture of a peer is whole.
    func received(_ frame: ReceivedVideoFrame, from peer: PeerSession)
    /// A peer needs a key frame of a layer.
    func keyFrameWanted(_ layer: VideoLayer)
    /// Somebody has joined.
    func addPictures(of member: MemberID)
    /// A peer's path carries less of its picture than is wished, or more again.
    func limitChanged(of peer: PeerSession)
    /// What a peer is to be expected to send has changed: it says what it shows.
    func expectPictures(of peer: PeerSession)
    /// A member shows no picture from now on because it wants to, or shows one again.
    func interrupted(_ member: MemberID)
    /// A member is gone.
    func removePictures(of member: MemberID)
    /// The call was held or resumed.
    func callHeld(_ call: RoomCall)
}

/// The sound of a call: what a call needs of whatever plays and captures for it.
@EngineActor
protocol CallMedia: AnyObject {
    /// Begins to play somebody; the number goes with each of their packets.
    func addStream(of participant: String, formats: [AudioParameters.Format]) -> Int32?
    func removeStream(_ stream: Int32)
    /// A packet on its way to the audio thread.
    func insert(_ packet: AudioPacket, payload: UnsafeRawBufferPointer)
    /// The call was held or resumed.
    func callHeld(_ call: RoomCall, _ isHeld: Bool)
    /// What the call's peers need of the sound that they are sent has changed.
    func needsChanged(of call: RoomCall)
    /// What a stream's jitter buffer has counted.
    func playout(of stream: Int32) -> AudioReceiverStatistics?
    /// What is heard of a stream; `nil`: nothing of late.
    func presentation(of stream: Int32) -> StreamSynchronizer.Presentation?
    /// What is added to a stream's delay so that its sound comes with its picture.
    func setSyncDelay(_ delay: Duration, of stream: Int32)
}
