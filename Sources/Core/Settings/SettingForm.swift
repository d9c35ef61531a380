import ControlProtocol
import Signaling
import Transport

/// What the value of a setting has to be, where its kind does not say it all. Empty text leaves open what can be left open.
enum SettingForm: Hashable {
    case packetTime
    case portRange
    case listenAddress
    case iceServers
    case personName

    /// In words, for the refusal.
    var expectation: String {
        switch self {
        case .packetTime: "10, 20, 40 or 60"
        case .portRange: "LO-HI, such as 40000-40100"
        case .listenAddress: "ADDRESS:PORT, such as 0.0.0.0:7443 or [::]:7443"
        case .iceServers: "stun:HOST:PORT or turn:HOST:PORT, with commas between"
        case .personName: "a name of at most \(RoomName.maximumByteCount) bytes without control characters"
        }
    }

    func takes(_ value: JSONValue) -> Bool {
        if value == .string("") { return self != .listenAddress }
        switch (self, value) {
        case (.packetTime, .integer(let milliseconds)): return [10, 20, 40, 60].contains(milliseconds)
        case (.portRange, .string(let text)): return PortRange(text) != nil
        case (.listenAddress, .string(let text)): return (try? ListenAddress(text)) != nil
        case (.iceServers, .array(let servers)):
            return servers.allSatisfy { $0.stringValue.flatMap { Transport.ICEServer(url: $0) } != nil }
        case (.personName, .string(let name)): return (try? NameError.check(name)) != nil
        default: return false
        }
    }
}
