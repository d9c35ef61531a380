import ControlProtocol
import Devices
import Foundation
import Glibc
import MediaEngine
import Primitives
import Reactor

/// Records the active call's mix in a file: what is heard here and what is sent from here. It ends with the call, or when
/// another call takes the devices.
@EngineActor
final class CallRecording {
    private let folder: String
    private let pipeline: AudioPipeline
    private var bell: Doorbell?
    private var recorder: SoundRecorder?
    /// Those that are being closed, with their files.
    private var closing: [(recorder: SoundRecorder, path: String, call: RoomCall?)] = []
    private(set) weak var call: RoomCall?
    /// What consoles show; `nil`: nothing is recorded.
    private(set) var state: RecordingState?
    /// Called when recording has begun or ended, to tell the others.
    var onChange: (() -> Void)?
    /// Called with what happened, in a sentence.
    var onEvent: ((EventUpdate.Kind, RoomCall?, String) -> Void)?

    /// - Parameter folder: where recordings go that no other file was named for.
    init(folder: String, pipeline: AudioPipeline) {
        self.folder = folder
        self.pipeline = pipeline
        bell = Doorbell { [weak self] in self?.collect() }
    }

    /// Begins to record `call`, which has the devices.
    func begin(_ call: RoomCall, file: String?) throws(UserFacingError) {
        let path = if let file { file } else { try newPath(call.room) }
        guard path.hasPrefix("/"), !path.unicodeScalars.contains("\0") else {
            throw UserFacingError("cannot record in \(path)", why: "it is no absolute path", remedy: "begin it with /")
        }
        guard let format = SoundFileFormat(path: path) else {
            throw UserFacingError(
                "cannot record in \(path)", why: "no such kind of sound file is written",
                remedy: "let its name end in one of \(SoundFileFormat.endings)")
        }
        let recorder = try SoundRecorder(path: path, format: format, onEnd: Self.ringer(of: bell))
        self.recorder = recorder
        pipeline.setRecording(recorder.tap)
        self.call = call
        state = RecordingState(path: path, startedAt: CallController.milliseconds(Date()))
        onEvent?(.recording, call, "recording the call in \(path)")
        onChange?()
    }

    /// Ends the recording, if there is one; the file is closed soon after.
    func end() {
        guard let recorder, let state else { return }
        recorder.finish()
        pipeline.setRecording(nil)
        closing.append((recorder, state.path, call))
        (self.recorder, self.state) = (nil, nil)
        onChange?()
        call = nil
    }

    /// Ends the recording, for a core that stops: its file is whole afterwards.
    func shutDown() {
        end()
        for (recorder, _, _) in closing { recorder.finishNow() }
        collect()
    }

    /// Says what became of the recordings that have ended, by themselves too.
    private func collect() {
        if recorder?.outcome != nil { end() }
        for (recorder, path, call) in closing {
            guard let outcome = recorder.outcome else { continue }
            recorder.finishNow()
            let seconds = Int(outcome.duration.seconds)
            let length = "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
            if let error = outcome.error { onEvent?(.warning, call, error.description) }
            if outcome.lost > .zero {
                onEvent?(
                    .warning, call,
                    "\(outcome.lost.milliseconds) ms of the recording are missing: the disk was too slow")
            }
            onEvent?(.recording, call, "recorded \(length) of the call in \(path)")
        }
        closing.removeAll { $0.recorder.outcome != nil }
    }

    /// Made outside of the engine's isolation: it is called on the recorder's thread.
    private nonisolated static func ringer(of bell: Doorbell?) -> @Sendable () -> Void {
        { bell?.ring() }
    }

    /// A file that is not there yet, in the folder of recordings.
    private func newPath(_ room: String) throws(UserFacingError) -> String {
        try Directories.makePrivate(folder)
        let time = EvidenceSample.timestamp(CallController.milliseconds(Date())).prefix(19).replacing(":", with: "")
        let base = "\(folder)/\(time) \(CallRecord.fileName(of: room))"
        var path = base + ".opus"
        var number = 1
        while access(path, F_OK) == 0 {
            number += 1
            path = "\(base) \(number).opus"
        }
        return path
    }
}
