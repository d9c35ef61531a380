import ControlProtocol
import Devices

/// The cameras of this machine.
extension Doctor {
    /// Which there are, and whether this user may open them.
    func cameras() -> Finding {
        let devices = root + "/dev"
        let closed = entries(of: devices).filter { name in
            name.hasPrefix("video") && !mayOpen("\(devices)/\(name)")
        }
        guard closed.isEmpty else {
            return Finding(
                subject: "camera", isFine: false,
                text: "this user may not open \(closed.sorted().map { "/dev/\($0)" }.joined(separator: ", ")); log in "
                    + "again after the command",
                command: joining("video"))
        }
        let cameras = Camera.all(devices: devices)
        return Finding(
            subject: "camera", isFine: true,
            text: cameras.isEmpty
                ? "none is plugged in; a terminal, a file or a test picture can be shown"
                : cameras.map { "\($0.name) (\($0.path))" }.joined(separator: ", "))
    }
}
