import ControlProtocol
import Glibc

/// The sound cards of this machine, which the sound server opens.
extension Doctor {
    /// Whether there are any, and whether this user may open them: by group, or because they sit at the machine.
    func soundCards() -> Finding {
        let folder = root + "/dev/snd"
        let devices = entries(of: folder).filter { $0.hasPrefix("pcm") }
        guard !devices.isEmpty else {
            return Finding(subject: "sound cards", isFine: true, text: "none; sound can come over the network")
        }
        guard devices.allSatisfy({ mayOpen("\(folder)/\($0)") }) else {
            return Finding(
                subject: "sound cards", isFine: false,
                text: "this user may not open \(folder); log in again after the command", command: joining("audio"))
        }
        let cards = Set(devices.compactMap { $0.dropFirst("pcmC".count).split(separator: "D").first }).count
        return Finding(subject: "sound cards", isFine: true, text: cards == 1 ? "one" : "\(cards)")
    }

    /// The command that puts this user into a group.
    func joining(_ group: String) -> String {
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
        return "sudo usermod -aG \(group) \(user)"
    }
}
