import Primitives

/// The rings between the engine thread and the audio thread.
struct PipelineRings: Sendable {
    static let commandCapacity = 128

    let received: SPSCRing<AudioPacket>
    let commands = SPSCRing<PipelineCommand>(capacity: commandCapacity)
    /// Every object that can be installed or under way fits, so this one never refuses.
    let retired: SPSCRing<Handover>
    let sent = SPSCRing<SentAudio>(capacity: 128, payloadCapacity: AudioFormat.maximumPayloadByteCount)
    let reports: SPSCRing<AudioReport>

    init(streamCapacity: Int) {
        received = SPSCRing(capacity: max(64, 32 * streamCapacity), payloadCapacity: 1280)
        retired = SPSCRing(capacity: 2 * Self.commandCapacity + 2 * streamCapacity)
        reports = SPSCRing(capacity: 4, payloadCapacity: streamCapacity * MemoryLayout<StreamReport>.stride)
    }
}
