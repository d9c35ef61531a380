import ControlProtocol
import Devices
import Foundation
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
    /// Those who wait until the file has been made.
    private var waiting: [@EngineActor (Result<String, UserFacingError>) -> Void] = []
    private var patience: EngineTimer?
    /// Those that are being closed, with the calls they are of.
    private var closing: [(recorder: SoundRecorder, call: RoomCall?)] = []
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

    /// So long a file may take to be made.
    private static let longestWait = Duration.seconds(5)

    /// Whether a call is recorded, or about to be.
    var isOn: Bool {
        recorder != nil
    }

    /// Begins to record `call`, which has the devices, unless that goes on already. `completion` hears the file's path once
    /// it has been made, or why it cannot be.
    func begin(
        _ call: RoomCall, file: String?, completion: @escaping @EngineActor (Result<String, UserFacingError>) -> Void
    ) {
        if let state { return completion(.success(state.path)) }
        do throws(UserFacingError) {
            if recorder == nil {
                recorder = try SoundRecorder(place(of: file, call.room), onChange: Self.ringer(of: bell))
                self.call = call
                let place = file ?? folder
                patience = EngineTimer { [weak self] in self?.giveUp(place) }
                patience?.arm(after: Self.longestWait)
            }
            waiting.append(completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// Ends the recording, if there is one; the file is closed soon after. Gives its path.
    @discardableResult
    func end() -> String? {
        guard let recorder else { return nil }
        if let path = recorder.path, state == nil { begun(path) }
        let path = state?.path
        recorder.finish()
        pipeline.setRecording(nil)
        closing.append((recorder, call))
        (self.recorder, state, patience) = (nil, nil, nil)
        answer(.failure(UserFacingError("the call is not recorded", why: "it ended before there was a file")))
        onChange?()
        call = nil
        return path
    }

    /// Ends the recording, for a core that stops: its file is whole afterwards, if the disk takes it in time.
    func shutDown() {
        end()
        for (recorder, _) in closing { recorder.finishNow() }
        collect()
    }

    /// Takes what the recorders have come to.
    private func collect() {
        if let path = recorder?.path, state == nil { begun(path) }
        if let outcome = recorder?.outcome {
            if state == nil, let error = outcome.error { answer(.failure(error)) }
            end()
        }
        for (recorder, call) in closing {
            guard let outcome = recorder.outcome else { continue }
            recorder.finishNow()
            if let path = recorder.path { tell(outcome, of: path, call) }
        }
        closing.removeAll { $0.recorder.outcome != nil }
    }

    private func giveUp(_ path: String) {
        collect()
        guard state == nil else { return }
        answer(.failure(UserFacingError("cannot record in \(path)", why: "the disk does not answer")))
        end()
    }

    private func begun(_ path: String) {
        patience = nil
        pipeline.setRecording(recorder?.tap)
        state = RecordingState(path: path, startedAt: CallController.milliseconds(Date()))
        onEvent?(.recording, call, "recording the call in \(path)")
        onChange?()
        answer(.success(path))
    }

    private func answer(_ result: Result<String, UserFacingError>) {
        let completions = waiting
        waiting = []
        for completion in completions { completion(result) }
    }

    /// Says what became of a recording that has ended, by itself too.
    private func tell(_ outcome: SoundRecorder.Outcome, of path: String, _ call: RoomCall?) {
        if let error = outcome.error { onEvent?(.warning, call, error.description) }
        if outcome.lost > .zero {
            onEvent?(
                .warning, call, "\(outcome.lost.milliseconds) ms of the recording are missing: the disk was too slow")
        }
        onEvent?(.recording, call, "recorded \(outcome.duration.minutesAndSeconds) of the call in \(path)")
    }

    private func place(of file: String?, _ room: String) throws(UserFacingError) -> RecordingPlace {
        guard let file else {
            let time = EvidenceSample.timestamp(CallController.milliseconds(Date())).prefix(19).replacing(":", with: "")
            return .folder(folder, name: "\(time) \(CallRecord.fileName(of: room))")
        }
        guard file.hasPrefix("/"), !file.unicodeScalars.contains("\0") else {
            throw UserFacingError("cannot record in \(file)", why: "it is no absolute path", remedy: "begin it with /")
        }
        guard let format = SoundFileFormat(path: file) else {
            throw UserFacingError(
                "cannot record in \(file)", why: "no such kind of sound file is written",
                remedy: "let its name end in one of \(SoundFileFormat.endings)")
        }
        return .file(file, format)
    }

    /// Made outside of the engine's isolation: it is called on the recorder's thread.
    private nonisolated static func ringer(of bell: Doorbell?) -> @Sendable () -> Void {
        { bell?.ring() }
    }
}
