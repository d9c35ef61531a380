import Devices

/// Machines as people have them, for the tests of the selection.
enum Boxes {
    /// A desktop: loudspeakers and a headphone socket on one card, a screen on another, no microphone but in the card.
    static func desktop() -> DeviceInventory {
        var inventory = DeviceInventory()
        inventory.cards = [card("pci", 0), card("hdmi", 1)]
        var analog = SoundDevice(name: "analog", index: 10, description: "Built-in", card: 0)
        analog.ports = [
            DevicePort(name: "speaker", kind: .speaker),
            DevicePort(name: "phones", description: "Headphones", kind: .headphones),
        ]
        analog.activePort = "speaker"
        var screen = SoundDevice(name: "screen", index: 11, card: 1)
        screen.ports = [DevicePort(name: "hdmi", kind: .screen)]
        screen.activePort = "hdmi"
        inventory.sinks = [screen, analog]
        inventory.sources = [
            monitor(of: "screen", 20), monitor(of: "analog", 21), SoundDevice(name: "analog-mic", index: 22, card: 0),
        ]
        inventory.defaultSink = "analog"
        inventory.defaultSource = "analog-mic"
        return inventory
    }

    /// A headset on USB: sink and source of card 5.
    static func plugHeadset(into inventory: inout DeviceInventory, index: UInt32 = 30) {
        inventory.cards.append(card("usb", 5))
        var sink = SoundDevice(name: "headset", index: index, card: 5)
        sink.formFactor = "headset"
        sink.bus = "usb"
        inventory.sinks.append(sink)
        inventory.sources += [
            monitor(of: "headset", index + 1), SoundDevice(name: "headset-mic", index: index + 2, card: 5),
        ]
    }

    static func unplugHeadset(from inventory: inout DeviceInventory) {
        inventory.cards.removeAll { $0.index == 5 }
        inventory.sinks.removeAll { $0.card == 5 }
        inventory.sources.removeAll { $0.card == 5 || $0.monitorOf == "headset" }
    }

    /// A Bluetooth headset, playing by A2DP; its hands-free profiles are `available` or not.
    static func connectBluetooth(to inventory: inout DeviceInventory, handsFree available: Bool = true) {
        var blue = card("bluez_card", 7)
        blue.bus = "bluetooth"
        blue.profiles = [
            CardProfile(name: "a2dp_sink", sinkCount: 1, sourceCount: 0, priority: 40),
            CardProfile(name: "cvsd", sinkCount: 1, sourceCount: 1, priority: 10, isAvailable: available),
            CardProfile(name: "msbc", sinkCount: 1, sourceCount: 1, priority: 20, isAvailable: available),
            CardProfile(name: "off", sinkCount: 0, sourceCount: 0),
        ]
        blue.activeProfile = "a2dp_sink"
        inventory.cards.append(blue)
        inventory.sinks.append(bluetoothSink("bluez_sink.a2dp_sink", 40))
    }

    /// What the Bluetooth headset becomes by a hands-free profile: other names, and a microphone.
    static func switchBluetooth(_ inventory: inout DeviceInventory, to profile: String) {
        guard let index = inventory.cards.firstIndex(where: { $0.index == 7 }) else { return }
        inventory.cards[index].activeProfile = profile
        inventory.sinks.removeAll { $0.card == 7 }
        inventory.sinks.append(bluetoothSink("bluez_sink." + profile, 50))
        var source = SoundDevice(name: "bluez_source." + profile, index: 51, card: 7)
        source.bus = "bluetooth"
        inventory.sources.append(source)
    }

    static func monitor(of sink: String, _ index: UInt32) -> SoundDevice {
        var monitor = SoundDevice(name: sink + ".monitor", index: index)
        monitor.monitorOf = sink
        return monitor
    }

    private static func bluetoothSink(_ name: String, _ index: UInt32) -> SoundDevice {
        var sink = SoundDevice(name: name, index: index, card: 7)
        sink.bus = "bluetooth"
        sink.formFactor = "headset"
        return sink
    }

    private static func card(_ name: String, _ index: UInt32) -> SoundCard {
        SoundCard(name: name, index: index)
    }
}
