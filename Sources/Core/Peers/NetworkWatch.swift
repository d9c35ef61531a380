import Reactor
import Transport

/// Notices that this machine has come into another network: the set of its addresses has changed.
@EngineActor
final class NetworkWatch {
    /// Without loopback and link-local ones.
    private(set) var addresses: Set<String>
    private var monitor: AddressMonitor?

    /// `onChange` is called with the addresses that came and those that went.
    init(onChange: @escaping @EngineActor (_ new: Set<String>, _ gone: Set<String>) -> Void) {
        addresses = Self.current
        monitor = AddressMonitor { [weak self] in
            guard let self else { return }
            let former = addresses
            addresses = Self.current
            guard addresses != former else { return }
            onChange(addresses.subtracting(former), former.subtracting(addresses))
        }
    }

    private static var current: Set<String> {
        Set(InterfaceAddresses.current(withLoopback: false))
    }
}
