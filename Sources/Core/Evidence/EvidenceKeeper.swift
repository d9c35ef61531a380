import ControlProtocol
import Foundation
import Primitives
import Reactor

/// Keeps what the figures were: the last hour in memory, and each call in a file of its own.
@EngineActor
final class EvidenceKeeper {
    private let folder: String
    private let settings: Settings
    private(set) var log = EvidenceLog()
    private var records: [String: CallRecord] = [:]
    private var summaries: [String: CallSummary] = [:]
    /// Calls whose file failed: said once.
    private var unrecorded: Set<String> = []
    var onFailure: ((UserFacingError) -> Void)?

    init(folder: String, settings: Settings) {
        self.folder = folder
        self.settings = settings
    }

    /// Takes one second of a call.
    func add(_ samples: [EvidenceSample], of call: RoomCall) {
        guard !samples.isEmpty else { return }
        for sample in samples {
            log.add(sample)
            summaries[call.id, default: CallSummary()].add(sample)
        }
        record(samples, of: call)
    }

    /// Marks this moment of a call.
    func note(_ text: String, in call: RoomCall) {
        var sample = EvidenceSample(time: CallController.milliseconds(Date()), call: call.id, room: call.room)
        sample.note = text
        log.add(sample)
        record([sample], of: call)
    }

    /// Closes the call's file. Returns what is to be said of the call, and where its figures are.
    func end(_ call: RoomCall) -> (summary: CallSummary, path: String?) {
        let record = records.removeValue(forKey: call.id)
        unrecorded.remove(call.id)
        do throws(UserFacingError) {
            try record?.flush()
        } catch {
            onFailure?(error)
        }
        return (summaries.removeValue(forKey: call.id) ?? CallSummary(), record?.path)
    }

    private func record(_ samples: [EvidenceSample], of call: RoomCall) {
        guard settings.bool("call.keep-figures"), !unrecorded.contains(call.id) else { return }
        do throws(UserFacingError) {
            if records[call.id] == nil {
                let began = EvidenceSample.timestamp(CallController.milliseconds(call.connectedAt ?? Date()))
                records[call.id] = try CallRecord(
                    room: call.room, at: String(began.prefix(19)).replacing(":", with: ""), in: folder)
            }
            try records[call.id]?.add(samples)
        } catch {
            records[call.id] = nil
            unrecorded.insert(call.id)
            onFailure?(error)
        }
    }
}
