import CLinux
import Glibc
import Primitives
import Synchronization

/// Wakes the engine from any thread, the audio thread included: `ring()` takes no lock and allocates nothing.
///
/// Rings before the handler runs are one ring, so a handler empties whatever queue the rings announce. The last
/// reference must not be dropped on the audio thread.
@EngineActor
package final class Doorbell {
    private nonisolated let button: Button
    private let source: DescriptorSource

    /// `nil` when the system has no descriptor left (`errno` says why).
    package init?(handler: @escaping @EngineActor () -> Void) {
        let descriptor = clinux_eventfd()
        guard descriptor >= 0 else { return nil }
        let button = Button(descriptor)
        self.button = button
        source = DescriptorSource(descriptor, .readable) { _ in
            button.release()
            handler()
        }
    }

    /// Has the handler called on the engine. Any thread.
    package nonisolated func ring() {
        button.press()
    }
}

private final class Button: Sendable {
    private let descriptor: Int32
    private let isPressed = Atomic<Bool>(false)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    func press() {
        guard !isPressed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func release() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        _ = isPressed.exchange(false, ordering: .acquiringAndReleasing)
    }

    deinit {
        close(descriptor)
    }
}
