/// The rules by which devices are picked from what there is. Monitors are never picked.
extension DeviceInventory {
    /// How an output of a route can be had.
    enum RouteWay: Hashable, Sendable {
        case move(SoundDevice)
        case switchPort(SoundDevice, DevicePort)
    }

    /// The microphone of the same card.
    func mate(ofSink sink: SoundDevice) -> SoundDevice? {
        guard let card = sink.card else { return nil }
        return usableSources.first { $0.card == card }
    }

    /// The output of the same card.
    func mate(ofSource source: SoundDevice) -> SoundDevice? {
        guard let card = source.card else { return nil }
        return sinks.first { $0.card == card }
    }

    var usableSources: [SoundDevice] {
        sources.filter { !$0.isMonitor }
    }

    /// The output with nothing configured: a private one where the default route asks for it; then one whose card has
    /// a microphone too, the server's defaults before others; then the server's default. Never a network device.
    func pickSink(_ wishes: DeviceWishes) -> SoundDevice? {
        let candidates = sinks.filter { isAllowed($0, wishes) && !$0.isNetwork }
        if wishes.defaultRoute ?? wishes.mode.defaultRoute == .receiver {
            let close = candidates.filter { $0.kind.isPrivate && !$0.isNull }
            if let pick = best(of: close) { return pick }
        }
        return best(of: candidates) ?? sink(named: defaultSink) ?? sinks.first
    }

    /// The microphone for `sink` with nothing configured: its card's, the server's default, or any.
    func pickSource(for sink: SoundDevice?, _ wishes: DeviceWishes) -> SoundDevice? {
        if let sink, let mate = mate(ofSink: sink) { return mate }
        if let source = source(named: defaultSource), !source.isMonitor, isAllowed(source, wishes) { return source }
        let allowed = usableSources.filter { isAllowed($0, wishes) }
        return allowed.first { !$0.isNull } ?? allowed.first
    }

    /// How `route` can be had, coming from `current`: another sink of that kind before a switch of ports, which holds
    /// for every program. `nil`: it cannot.
    func way(to route: AudioRoute, from current: SoundDevice, _ wishes: DeviceWishes) -> RouteWay? {
        let wantsPrivate = route == .receiver
        let others = sinks.filter {
            $0.name != current.name && $0.kind.isPrivate == wantsPrivate && isReal($0) && isAllowed($0, wishes)
        }
        if let sink = best(of: others) { return .move(sink) }
        for sink in [current] + sinks.filter({ $0.name != current.name && isReal($0) }) where sink.ports.count > 1 {
            let port = sink.ports.first {
                $0.isAvailable && $0.name != sink.activePort && $0.kind.isPrivate == wantsPrivate
            }
            if let port { return .switchPort(sink, port) }
        }
        return nil
    }

    /// The profile by which a Bluetooth card has both directions: available, with the highest priority (Q33).
    func handsFreeProfile(of card: SoundCard) -> CardProfile? {
        card.profiles
            .filter { $0.isAvailable && $0.sinkCount > 0 && $0.sourceCount > 0 }
            .max { $0.priority < $1.priority }
    }

    private func best(of candidates: [SoundDevice]) -> SoundDevice? {
        let paired = candidates.filter { mate(ofSink: $0) != nil || hasHandsFree($0) }
        let defaultSource = source(named: defaultSource).flatMap { $0.isMonitor ? nil : $0.card }
        return paired.first { $0.name == defaultSink }
            ?? paired.first { defaultSource != nil && $0.card == defaultSource }
            ?? paired.first
            ?? candidates.first { $0.name == defaultSink }
            ?? candidates.first
    }

    private func hasHandsFree(_ sink: SoundDevice) -> Bool {
        sink.isBluetooth && card(sink.card).flatMap(handsFreeProfile) != nil
    }

    private func isAllowed(_ device: SoundDevice, _ wishes: DeviceWishes) -> Bool {
        guard device.isBluetooth else { return true }
        guard let card = card(device.card), handsFreeProfile(of: card) != nil else {
            return wishes.allowsBluetoothPlaybackOnly
        }
        return wishes.allowsBluetooth
    }

    private func isReal(_ device: SoundDevice) -> Bool {
        !device.isNull && !device.isNetwork
    }
}
