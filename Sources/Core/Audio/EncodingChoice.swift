/// Which of the two encodings of Opus one peer is sent. It changes when the wanted one first gives something, so that
/// meanwhile nothing is missing, and nothing is sent twice.
struct EncodingChoice: Hashable {
    /// Whether the peer is to have the frames that are made for those who are sent copies.
    var wantsForCopies = false
    private var isForCopies = false
    private var lastPosition = Int64.min

    /// Whether this packet is for the peer.
    mutating func takes(_ audio: AudioPath.EncodedAudio) -> Bool {
        if audio.isForCopies == wantsForCopies { isForCopies = wantsForCopies }
        guard audio.isForCopies == isForCopies, audio.position != lastPosition else { return false }
        lastPosition = audio.position
        return true
    }
}
