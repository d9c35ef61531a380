import CPulse

/// Turns what libpulse tells into the inventory's values.
struct InventoryReader {
    private(set) var inventory = DeviceInventory()
    private var masters: [String: String] = [:]
    private let processID: String

    init(processID: String) {
        self.processID = processID
    }

    mutating func read(_ info: pa_server_info) {
        inventory.serverName = text(info.server_name) ?? ""
        inventory.serverVersion = text(info.server_version) ?? ""
        inventory.defaultSink = text(info.default_sink_name)
        inventory.defaultSource = text(info.default_source_name)
    }

    mutating func read(_ info: pa_sink_info) {
        guard let name = text(info.name) else { return }
        var device = SoundDevice(name: name, index: info.index, description: text(info.description) ?? "")
        device.card = info.card == UInt32.max ? nil : info.card
        device.isMuted = info.mute != 0
        device.volume = volume(info.volume)
        device.isNetwork = info.flags.rawValue & PA_SINK_NETWORK.rawValue != 0
        readProperties(info.proplist, driver: text(info.driver), into: &device)
        device.ports = items(info.ports, info.n_ports).compactMap {
            port($0.name, $0.description, type: $0.type, isAvailable: $0.available)
        }
        device.activePort = info.active_port.flatMap { text($0.pointee.name) }
        inventory.sinks.append(device)
    }

    mutating func read(_ info: pa_source_info) {
        guard let name = text(info.name) else { return }
        var device = SoundDevice(name: name, index: info.index, description: text(info.description) ?? "")
        device.card = info.card == UInt32.max ? nil : info.card
        device.isMuted = info.mute != 0
        device.volume = volume(info.volume)
        device.isNetwork = info.flags.rawValue & PA_SOURCE_NETWORK.rawValue != 0
        device.monitorOf = info.monitor_of_sink == UInt32.max ? nil : text(info.monitor_of_sink_name)
        readProperties(info.proplist, driver: text(info.driver), into: &device)
        device.ports = items(info.ports, info.n_ports).compactMap {
            port($0.name, $0.description, type: $0.type, isAvailable: $0.available)
        }
        device.activePort = info.active_port.flatMap { text($0.pointee.name) }
        inventory.sources.append(device)
    }

    mutating func read(_ info: pa_card_info) {
        guard let name = text(info.name) else { return }
        var card = SoundCard(
            name: name, index: info.index, description: property(info.proplist, "device.description") ?? "",
            bus: property(info.proplist, "device.bus"))
        for profile in items(info.profiles2, info.n_profiles) {
            guard let name = text(profile.name) else { continue }
            card.profiles.append(
                CardProfile(
                    name: name, description: text(profile.description) ?? "", sinkCount: Int(profile.n_sinks),
                    sourceCount: Int(profile.n_sources), priority: Int(profile.priority),
                    isAvailable: profile.available != 0))
        }
        card.activeProfile = info.active_profile2.flatMap { text($0.pointee.name) }
        inventory.cards.append(card)
    }

    mutating func read(_ info: pa_sink_input_info) {
        guard property(info.proplist, "application.process.id") == processID else { return }
        inventory.ownStreams.append(
            OwnStream(index: info.index, isCapture: false, isMuted: info.mute != 0, volume: volume(info.volume)))
    }

    mutating func read(_ info: pa_source_output_info) {
        guard property(info.proplist, "application.process.id") == processID else { return }
        inventory.ownStreams.append(
            OwnStream(index: info.index, isCapture: true, isMuted: info.mute != 0, volume: volume(info.volume)))
    }

    /// The inventory once everything was read: monitors and remapped sources of null devices are null devices too.
    func finished() -> DeviceInventory {
        var result = inventory
        let nullSinks = Set(result.sinks.filter(\.isNull).map(\.name))
        for index in result.sources.indices {
            guard let sink = result.sources[index].monitorOf else { continue }
            if nullSinks.contains(sink) { result.sources[index].isNull = true }
        }
        let nullSources = Set(result.sources.filter(\.isNull).map(\.name))
        for index in result.sources.indices {
            guard let master = masters[result.sources[index].name] else { continue }
            if nullSources.contains(master) { result.sources[index].isNull = true }
        }
        return result
    }

    private mutating func readProperties(_ list: OpaquePointer?, driver: String?, into device: inout SoundDevice) {
        device.formFactor = property(list, "device.form_factor")
        device.bus = property(list, "device.bus")
        masters[device.name] = property(list, "device.master_device")
        let isNullNode = property(list, "factory.name") == "support.null-audio-sink"
        device.isNull = isNullNode || driver == "module-null-sink.c" || driver == "module-null-source.c"
    }

    /// What a list of pointers, which may be absent, points at.
    private func items<Item>(_ list: UnsafeMutablePointer<UnsafeMutablePointer<Item>?>?, _ count: UInt32) -> [Item] {
        UnsafeBufferPointer(start: list, count: list == nil ? 0 : Int(count)).compactMap { $0?.pointee }
    }

    private func port(
        _ name: UnsafePointer<CChar>?, _ description: UnsafePointer<CChar>?, type: UInt32, isAvailable: Int32
    ) -> DevicePort? {
        text(name).map { name in
            DevicePort(
                name: name, description: text(description) ?? "", kind: DeviceKind(portType: type, portName: name),
                isAvailable: isAvailable != Int32(PA_PORT_AVAILABLE_NO.rawValue))
        }
    }

    private func volume(_ channels: pa_cvolume) -> Double {
        var channels = channels
        return Double(pa_cvolume_max(&channels)) / 65_536
    }

    private func property(_ list: OpaquePointer?, _ key: String) -> String? {
        guard let list else { return nil }
        return text(pa_proplist_gets(list, key))
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}
