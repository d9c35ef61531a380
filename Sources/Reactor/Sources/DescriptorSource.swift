import CGLib

/// Watches one descriptor, which the caller owns and keeps open for as long as this lives.
@EngineActor
package final class DescriptorSource {
    /// What a descriptor is watched for, and what it has.
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let readable = Events(rawValue: G_IO_IN.rawValue)
        package static let writable = Events(rawValue: G_IO_OUT.rawValue)
        /// The other side has hung up. Always reported.
        package static let hangUp = Events(rawValue: G_IO_HUP.rawValue)
        /// Always reported.
        package static let error = Events(rawValue: G_IO_ERR.rawValue)
    }

    private final class Tag {
        var pointer: gpointer?
        weak var source: EngineSource?
    }

    private let source: EngineSource
    private let tag: Tag
    /// What is watched for. Hang-up and error are reported in any case.
    package private(set) var watched: Events

    /// Calls `handler` on the engine whenever one of `events` is there (level triggered).
    package init(
        _ descriptor: Int32, _ events: Events, handler: @escaping @EngineActor (Events) -> Void
    ) {
        let tag = Tag()
        self.tag = tag
        watched = events
        source = EngineSource {
            guard let pointer = tag.pointer, let source = tag.source else { return }
            handler(Events(rawValue: source.events(of: pointer).rawValue))
        }
        tag.pointer = source.add(descriptor, GIOCondition(rawValue: events.rawValue))
        tag.source = source
    }

    /// Changes what is watched for.
    package func watch(_ events: Events) {
        guard events != watched, let pointer = tag.pointer else { return }
        watched = events
        source.modify(pointer, GIOCondition(rawValue: events.rawValue))
    }

    /// Calls the handler once soon, with whatever events there are then, for a reader that stopped half-way to let
    /// others run.
    package func dispatchSoon() {
        source.setReadyTime(0)
    }
}
