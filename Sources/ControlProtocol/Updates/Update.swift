/// A notification from the core to a subscriber.
package enum Update: Hashable, Sendable {
    /// The whole state: first after subscribing, and whenever a slow console has missed patches.
    case state(revision: Int, CoreState)
    /// A merge patch (RFC 7396) from `revision` − 1 to `revision`.
    case patch(revision: Int, JSONValue)
    case levels(LevelsUpdate)
    case statistics(StatisticsUpdate)
    case event(EventUpdate)

    /// The notification's method name.
    package var name: String {
        switch self {
        case .state: "state"
        case .patch: "patch"
        case .levels: "levels"
        case .statistics: "statistics"
        case .event: "event"
        }
    }

    /// The message that carries the update.
    package func message() throws -> RPCMessage {
        .request(id: nil, method: name, params: try params())
    }

    private func params() throws -> JSONValue {
        switch self {
        case .state(let revision, let state):
            .object(["revision": .integer(revision), "state": try JSONValue(encoding: state)])
        case .patch(let revision, let patch):
            .object(["revision": .integer(revision), "patch": patch])
        case .levels(let levels): try JSONValue(encoding: levels)
        case .statistics(let statistics): try JSONValue(encoding: statistics)
        case .event(let event): try JSONValue(encoding: event)
        }
    }

    /// Reads a notification; `nil` when it is none that this version knows.
    package init?(method: String, params: JSONValue?) throws {
        guard let params else { return nil }
        switch method {
        case "state":
            guard let revision = params["revision"]?.integerValue, let state = params["state"] else { return nil }
            self = .state(revision: revision, try state.decoded())
        case "patch":
            guard let revision = params["revision"]?.integerValue, let patch = params["patch"] else { return nil }
            self = .patch(revision: revision, patch)
        case "levels": self = .levels(try params.decoded())
        case "statistics": self = .statistics(try params.decoded())
        case "event": self = .event(try params.decoded())
        default: return nil
        }
    }
}

/// The console's copy of the core's state: takes whole states and patches, and says when it has missed one.
package struct StateMirror: Sendable {
    private var value: JSONValue = .object([:])
    package private(set) var revision = 0
    package private(set) var state = CoreState()

    package init() {}

    /// Applies a `state` or `patch` update. Returns `false` when a patch does not follow the present revision or does
    /// not decode: the whole state has to be asked for (`core.state`).
    package mutating func apply(_ update: Update) throws -> Bool {
        switch update {
        case .state(let revision, let state):
            self.revision = revision
            self.state = state
            value = try JSONValue(encoding: state)
        case .patch(let revision, let patch):
            guard revision == self.revision + 1 else { return false }
            let patched = MergePatch.apply(patch, to: value)
            guard let state: CoreState = try? patched.decoded() else { return false }
            (value, self.state, self.revision) = (patched, state, revision)
        case .levels, .statistics, .event:
            break
        }
        return true
    }
}
