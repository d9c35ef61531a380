import ControlProtocol
import MediaEngine
import Primitives
import Reactor

/// Who has the floor, and who had it last.
@EngineActor
struct Floor {
    /// A participant's id, or `me`.
    private(set) var speaking: String?
    private(set) var lastSpeaker: String?
    private var lastSpoke: MonoTime?
    private var now = MonoTime.zero

    var lastSpokeSeconds: Int? {
        lastSpoke.map { Int((now - $0).seconds) }
    }

    mutating func update(_ report: AudioReport, in calls: CallController) {
        now = report.time
        speaking = nil
        guard calls.activeID != nil else {
            lastSpeaker = nil
            return
        }
        guard let dominant = report.dominantSpeaker, let who = name(of: dominant, in: calls),
            isSpeaking(dominant, report, in: calls)
        else { return }
        speaking = who
        lastSpeaker = who
        lastSpoke = now
    }

    private func name(of stream: Int32, in calls: CallController) -> String? {
        if stream == AudioPipeline.own { return calls.audio.microphone.state == .live ? "me" : nil }
        return calls.audio.streams.first { $0.value == stream }?.key
    }

    private func isSpeaking(_ stream: Int32, _ report: AudioReport, in calls: CallController) -> Bool {
        if stream == AudioPipeline.own { return report.isOwnSpeaking }
        return calls.audio.path.report(on: stream)?.isSpeaking == true
    }
}
