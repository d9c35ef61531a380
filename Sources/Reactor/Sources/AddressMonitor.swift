import CLinux
import Glibc
import Primitives

/// Notices that addresses or interfaces of this machine come and go.
///
/// What comes at once is told once, a moment after the last of it: an interface that comes up brings several addresses.
@EngineActor
package final class AddressMonitor {
    private let descriptor: Int32
    private var source: DescriptorSource?
    private var timer: EngineTimer?

    private static let settlingTime = Duration.milliseconds(250)

    /// `nil` where the system does not tell (`errno` says why).
    package init?(onChange: @escaping @EngineActor () -> Void) {
        descriptor = clinux_address_events()
        guard descriptor >= 0 else { return nil }
        timer = EngineTimer(onChange)
        source = DescriptorSource(descriptor, .readable) { [weak self] _ in self?.drain() }
    }

    isolated deinit {
        source = nil
        if descriptor >= 0 { close(descriptor) }
    }

    /// What the messages say does not matter: whoever is told looks at the addresses themselves.
    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while recv(descriptor, buffer.baseAddress, buffer.count, 0) > 0 || errno == ENOBUFS {}
        }
        timer?.arm(after: Self.settlingTime)
    }
}
