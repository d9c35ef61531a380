extension DeviceKind {
    /// The kind of a port, by the number of its type (`pa_device_port_type`) or, where that is unknown or says only how
    /// it is wired, by its name.
    package init(portType: UInt32, portName: String) {
        switch portType {
        case 2, 13, 16, 18, 19: self = .speaker
        case 3: self = .headphones
        case 4, 1, 9, 22: self = DeviceKind(portName: portName) ?? .line
        case 5: self = .microphone
        case 6: self = .headset
        case 7: self = .handset
        case 8: self = .earpiece
        case 10, 11: self = .screen
        case 17: self = .handsFree
        default: self = DeviceKind(portName: portName) ?? .unknown
        }
    }

    /// The kind that a port's name tells, as ALSA's and Bluetooth's profiles name them.
    private init?(portName: String) {
        let name = portName.lowercased()
        let words: [(String, DeviceKind)] = [
            ("headphone", .headphones), ("headset-mic", .microphone), ("headset", .headset), ("handset", .handset),
            ("earpiece", .earpiece), ("hands-free", .handsFree), ("handsfree", .handsFree), ("speaker", .speaker),
            ("hdmi", .screen), ("mic", .microphone), ("lineout", .line), ("line", .line),
        ]
        guard let found = words.first(where: { name.contains($0.0) }) else { return nil }
        self = found.1
    }
}
