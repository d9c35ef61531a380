import ControlProtocol
import Primitives

/// The method that records.
extension Core {
    func addRecordingMethods() {
        server.handle("call.record") { [weak self] arguments, _, reply in
            do throws(RPCError) {
                try self?.record(arguments, reply)
            } catch {
                reply(.failure(error))
            }
        }
    }

    private func record(_ arguments: Arguments, _ reply: @escaping ControlServer.Reply) throws(RPCError) {
        let file = arguments.string("file")
        guard arguments.wish("on").applied(to: recording.isOn) else {
            guard file == nil else {
                throw .failed("only a recording that begins has a file; hoot record off alone ends it")
            }
            let path = recording.end()
            return reply(
                .success(.object(["on": .bool(false)].merging(path.map { ["file": .string($0)] } ?? [:]) { $1 })))
        }
        if file != nil, recording.isOn {
            let path = recording.state.map { " in \($0.path)" } ?? ""
            throw .failed("the call is recorded\(path) already; hoot record off ends that")
        }
        guard let call = calls.activeCall else {
            throw .failed("there is no call to record; hoot join or hoot host starts one")
        }
        guard call.connectedAt != nil else {
            throw .failed("the call has not begun yet; record it once it is connected")
        }
        recording.begin(call, file: file) { result in
            reply(
                result.map { .object(["on": .bool(true), "file": .string($0)]) }
                    .mapError { .failed($0.description) })
        }
    }
}
