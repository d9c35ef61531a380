import ControlProtocol
import Primitives
import Reactor

/// The one copy of the state that consoles mirror. Changes within one turn of the loop become one patch.
@EngineActor
final class StatePublisher {
    private(set) var state = CoreState()
    private(set) var revision = 0
    /// Called with each patch, encoded once for everybody.
    var onPatch: ((_ revision: Int, _ patch: JSONValue) -> Void)?
    /// The state as consoles that applied every patch hold it.
    private(set) var published: JSONValue
    /// The chats by call, each message encoded once: 200 of them would cost the engine 4 ms at every change.
    var chats: [String: [String: JSONValue]] = [:]
    private var isPending = false

    init() {
        published = (try? JSONValue(encoding: CoreState())) ?? .object([:])
    }

    /// Changes the state; what changed is published at the end of the present turn of the loop.
    func update(_ change: (inout CoreState) -> Void) {
        change(&state)
        guard !isPending else { return }
        isPending = true
        Task { @EngineActor [weak self] in self?.publish() }
    }

    /// Publishes what has changed now, so that an answer does not overtake the change that it confirms.
    func publish() {
        guard isPending else { return }
        isPending = false
        guard let encoded = encodedState, let patch = MergePatch.difference(from: published, to: encoded) else {
            return
        }
        published = encoded
        revision += 1
        onPatch?(revision, patch)
    }

    /// What `core.state` answers: the state as of the revision that goes with it.
    var whole: JSONValue {
        .object(["revision": .integer(revision), "state": published])
    }

    private var encodedState: JSONValue? {
        guard case .object(var whole)? = try? JSONValue(encoding: state) else { return nil }
        if case .object(var calls)? = whole["calls"] {
            for (id, messages) in chats {
                guard case .object(var call)? = calls[id] else { continue }
                call["chat"] = .object(messages)
                calls[id] = .object(call)
            }
            whole["calls"] = .object(calls)
        }
        return .object(whole)
    }
}
