/// Which devices a call uses, from its beginning to its end: a machine that is told what there is and what is wanted.
///
/// A device that was configured or chosen is awaited by its stable name while it is away, and taken again when it is
/// back. The server's choice of another default is followed only where nothing is configured and the device in use is
/// still there, since then a person chose.
package struct DeviceSelection: Sendable {
    /// A device in use, by what stays the same when its profile changes its name.
    private struct Held: Sendable {
        var name: String
        var card: String?
    }

    /// A change that holds for every program, and what was before.
    private enum Switch: Hashable, Sendable {
        case port(sink: String, before: String, now: String)
        case profile(card: String, before: String, now: String)
    }

    private var heldSink: Held?
    private var heldSource: Held?
    private var defaultSink: String?
    private var lastWishes = DeviceWishes()
    private var switches: [Switch] = []
    private var asked: Set<ServerCommand> = []

    package init() {}

    /// Chooses from what there is now.
    package mutating func update(_ inventory: DeviceInventory, _ wishes: DeviceWishes) -> DeviceChoice {
        if wishes != lastWishes { asked = [] }
        if wishes.sink != lastWishes.sink { heldSink = nil }
        if wishes.source != lastWishes.source { heldSource = nil }
        lastWishes = wishes
        var choice = DeviceChoice()
        chooseSink(inventory, wishes, into: &choice)
        applyRoute(inventory, wishes, to: &choice)
        chooseProfile(inventory, wishes, into: &choice)
        chooseSource(inventory, wishes, into: &choice)
        return choice
    }

    /// Ends the call: forgets the devices in use and undoes the switches that nobody changed meanwhile.
    package mutating func end(_ inventory: DeviceInventory) -> [ServerCommand] {
        let commands = switches.reversed().compactMap { undo($0, inventory) }
        self = DeviceSelection()
        return commands
    }

    private mutating func chooseSink(
        _ inventory: DeviceInventory, _ wishes: DeviceWishes, into choice: inout DeviceChoice
    ) {
        let hasNewDefault = inventory.defaultSink != defaultSink && defaultSink != nil
        defaultSink = inventory.defaultSink
        if wishes.sink == nil, hasNewDefault, let held = heldSink, inventory.sink(named: held.name) != nil {
            heldSink = nil
            heldSource = nil
        }
        guard let wanted = wishes.sink ?? heldSink?.name else {
            guard let pick = inventory.pickSink(wishes) else { return }
            hold(pick, in: inventory)
            choice.sink = ChosenDevice(pick)
            return
        }
        if let device = inventory.sink(named: wanted) ?? sameCard(inventory, inventory.sinks, heldSink) {
            hold(device, in: inventory)
            choice.sink = ChosenDevice(device)
        } else {
            choice.awaitedSink = wanted
            choice.sink = inventory.pickSink(wishes).map { ChosenDevice($0, awaiting: wanted) }
        }
    }

    private mutating func hold(_ sink: SoundDevice, in inventory: DeviceInventory) {
        heldSink = Held(name: sink.name, card: inventory.card(sink.card)?.name)
    }

    private func sameCard(_ inventory: DeviceInventory, _ devices: [SoundDevice], _ held: Held?) -> SoundDevice? {
        guard let name = held?.card, let card = inventory.cards.first(where: { $0.name == name }) else { return nil }
        return devices.first { $0.card == card.index && !$0.isMonitor }
    }

    private mutating func applyRoute(
        _ inventory: DeviceInventory, _ wishes: DeviceWishes, to choice: inout DeviceChoice
    ) {
        guard let current = choice.sink?.device else { return }
        if let route = wishes.route, current.kind.isPrivate != (route == .receiver) {
            take(route, from: current, inventory, wishes, into: &choice)
        } else if let port = switchedPort(of: current) {
            choice.routeOutcome = .switchedPort(sink: current.name, port: port)
        }
        guard let sink = choice.sink?.device else { return }
        let route: AudioRoute = sink.kind.isPrivate ? .receiver : .speaker
        choice.route = route
        choice.canChangeRoute = inventory.way(to: route == .receiver ? .speaker : .receiver, from: sink, wishes) != nil
    }

    private mutating func take(
        _ route: AudioRoute, from current: SoundDevice, _ inventory: DeviceInventory, _ wishes: DeviceWishes,
        into choice: inout DeviceChoice
    ) {
        if let undone = undoPort(of: current, for: route, inventory) {
            choice.commands += ask(undone)
            return
        }
        switch inventory.way(to: route, from: current, wishes) {
        case .move(let sink):
            choice.sink = ChosenDevice(sink)
            choice.awaitedSink = nil
        case .switchPort(let sink, let port):
            choice.sink = ChosenDevice(sink)
            let before = sink.activePort ?? ""
            let commands = ask(.setSinkPort(sink: sink.name, port: port.name))
            if !commands.isEmpty { switches.append(.port(sink: sink.name, before: before, now: port.name)) }
            choice.commands += commands
            choice.routeOutcome = .switchedPort(sink: sink.name, port: port.description)
        case nil:
            choice.routeOutcome = .singleOutput
        }
    }

    private func switchedPort(of sink: SoundDevice) -> String? {
        for case .port(sink.name, _, let now) in switches where sink.activePort == now {
            return sink.ports.first { $0.name == now }?.description ?? now
        }
        return nil
    }

    /// The way back, where the port that was in use before our own switch is of the wished kind.
    private mutating func undoPort(
        of sink: SoundDevice, for route: AudioRoute, _ inventory: DeviceInventory
    ) -> ServerCommand? {
        let index = switches.lastIndex { change in
            guard case .port(sink.name, let before, let now) = change, sink.activePort == now else { return false }
            return sink.ports.first { $0.name == before }?.kind.isPrivate == (route == .receiver)
        }
        guard let index else { return nil }
        return undo(switches.remove(at: index), inventory)
    }

    private mutating func chooseProfile(
        _ inventory: DeviceInventory, _ wishes: DeviceWishes, into choice: inout DeviceChoice
    ) {
        guard let sink = choice.sink?.device, sink.isBluetooth, let card = inventory.card(sink.card) else { return }
        for case .profile(card.name, _, let now) in switches where card.activeProfile == now {
            choice.switchedProfile = now
        }
        guard wishes.allowsBluetooth, wishes.source == nil, inventory.mate(ofSink: sink) == nil,
            let profile = inventory.handsFreeProfile(of: card), profile.name != card.activeProfile
        else { return }
        let commands = ask(.setCardProfile(card: card.name, profile: profile.name))
        guard !commands.isEmpty else { return }
        switches.append(.profile(card: card.name, before: card.activeProfile ?? "", now: profile.name))
        choice.commands += commands
        choice.switchedProfile = profile.name
    }

    private mutating func chooseSource(
        _ inventory: DeviceInventory, _ wishes: DeviceWishes, into choice: inout DeviceChoice
    ) {
        let pick = inventory.pickSource(for: choice.sink?.device, wishes)
        if let wanted = wishes.source {
            let found = inventory.source(named: wanted) ?? sameCard(inventory, inventory.usableSources, heldSource)
            if let found {
                heldSource = Held(name: wanted, card: inventory.card(found.card)?.name)
                choice.source = ChosenDevice(found)
            } else {
                choice.awaitedSource = wanted
                choice.source = pick.map { ChosenDevice($0, awaiting: wanted) }
            }
            return
        }
        chooseSource(by: pick, inventory, into: &choice)
    }

    /// With nothing configured: the card of the sink has a microphone, or the one in use stays, or is awaited.
    private mutating func chooseSource(
        by pick: SoundDevice?, _ inventory: DeviceInventory, into choice: inout DeviceChoice
    ) {
        let mate = choice.sink.flatMap { inventory.mate(ofSink: $0.device) }
        let isStandIn = choice.sink?.awaiting != nil
        if let mate, !isStandIn {
            heldSource = Held(name: mate.name, card: inventory.card(mate.card)?.name)
            choice.source = ChosenDevice(mate)
        } else if let held = heldSource {
            let found = inventory.source(named: held.name) ?? sameCard(inventory, inventory.usableSources, held)
            choice.source = found.map { ChosenDevice($0) } ?? pick.map { ChosenDevice($0, awaiting: held.name) }
            choice.awaitedSource = found == nil ? held.name : nil
        } else if let pick {
            heldSource = Held(name: pick.name, card: inventory.card(pick.card)?.name)
            choice.source = ChosenDevice(pick)
        }
    }

    /// The command, unless it was asked already since the wishes changed: a refusal is not repeated for ever.
    private mutating func ask(_ command: ServerCommand) -> [ServerCommand] {
        asked.insert(command).inserted ? [command] : []
    }

    private func undo(_ change: Switch, _ inventory: DeviceInventory) -> ServerCommand? {
        switch change {
        case .port(let sink, let before, let now):
            guard inventory.sink(named: sink)?.activePort == now, !before.isEmpty else { return nil }
            return .setSinkPort(sink: sink, port: before)
        case .profile(let card, let before, let now):
            guard let found = inventory.cards.first(where: { $0.name == card }), found.activeProfile == now,
                !before.isEmpty
            else { return nil }
            return .setCardProfile(card: card, profile: before)
        }
    }
}
