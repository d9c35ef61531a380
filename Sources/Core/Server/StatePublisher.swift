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
        guard let encoded = try? JSONValue(encoding: state),
            let patch = MergePatch.difference(from: published, to: encoded)
        else { return }
        published = encoded
        revision += 1
        onPatch?(revision, patch)
    }
}
