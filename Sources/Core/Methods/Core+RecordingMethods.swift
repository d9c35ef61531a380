import ControlProtocol
import Primitives

/// The method that records.
extension Core {
    func addRecordingMethods() {
        server.handle("call.record") { [calls, recording] arguments throws(RPCError) in
            let file = arguments.string("file")
            guard arguments.wish("on").applied(to: recording.state != nil) else {
                let path = recording.state?.path
                recording.end()
                return .object(["on": .bool(false)].merging(path.map { ["file": .string($0)] } ?? [:]) { $1 })
            }
            if let state = recording.state, file != nil {
                throw .failed("the call is recorded in \(state.path) already; hoot record off ends that")
            }
            guard let call = calls.activeCall else {
                throw .failed("there is no call to record; hoot join or hoot host starts one")
            }
            guard call.connectedAt != nil else {
                throw .failed("the call has not begun yet; record it once it is connected")
            }
            if recording.state == nil {
                do throws(UserFacingError) {
                    try recording.begin(call, file: file)
                } catch {
                    throw .failed(error.description)
                }
            }
            return .object(["on": .bool(true), "file": .string(recording.state?.path ?? "")])
        }
    }
}
