import ControlProtocol
import SDP
import Signaling
import Transport

/// What the value of a setting has to be, where its kind does not say it all. Empty text leaves open what can be left open.
enum SettingForm: Hashable {
    case packetTime
    case codecs
    case portRange
    case listenAddress
    case iceServers
    /// Any text, which nobody is shown.
    case secret
    case personName
    case publicURL
    case publicAddress

    /// In words, for the refusal.
    var expectation: String {
        switch self {
        case .packetTime: "10, 20, 40 or 60"
        case .codecs: "one or more of \(NegotiatedCodec.allCases.map(\.rawValue).joined(separator: ", ")), each once"
        case .portRange: "LO-HI, such as 40000-40100"
        case .listenAddress: "ADDRESS:PORT, such as 0.0.0.0:7443 or [::]:7443"
        case .iceServers:
            "stun:HOST, turn:USER:SECRET@HOST?transport=tcp or turns:USER:SECRET@HOST, :PORT after HOST, commas between"
        case .secret: "a text that is not hidden"
        case .publicURL: "https://HOST or https://HOST:PORT, without a path"
        case .publicAddress: "an address or a host's name, such as 203.0.113.9 or pi.example.org, without a port"
        case .personName: "a name of at most \(RoomName.maximumByteCount) bytes without control characters"
        }
    }

    func takes(_ value: JSONValue) -> Bool {
        if value == .string("") { return self != .listenAddress }
        switch (self, value) {
        case (.packetTime, .integer(let milliseconds)): return [10, 20, 40, 60].contains(milliseconds)
        case (.codecs, .array(let names)):
            let codecs = names.compactMap { $0.stringValue.flatMap(NegotiatedCodec.init) }
            return !names.isEmpty && Set(codecs).count == names.count
        case (.portRange, .string(let text)): return PortRange(text) != nil
        case (.listenAddress, .string(let text)): return (try? ListenAddress(text)) != nil
        case (.iceServers, .array(let servers)):
            return servers.allSatisfy { $0.stringValue.flatMap { try? Transport.ICEServer(uri: $0) } != nil }
        case (.secret, .string(let text)): return text != Transport.ICEServer.hiddenSecret
        case (.publicURL, .string(let text)): return PublicOrigin(text) != nil
        case (.publicAddress, .string(let text)): return PublicAddress(text) != nil
        case (.personName, .string(let name)): return (try? NameError.check(name)) != nil
        default: return false
        }
    }

    /// Whether a value may hold secrets: they are shown to nobody, and a refusal does not repeat them.
    var isSecret: Bool {
        self == .iceServers || self == .secret
    }

    /// The value as people see it.
    func shown(_ value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.iceServers, .array(let servers)):
            .array(servers.map { .string((try? Transport.ICEServer(uri: $0.stringValue ?? ""))?.shownURI ?? "") })
        case (.secret, .string(let text)) where !text.isEmpty: .string(Transport.ICEServer.hiddenSecret)
        default: value
        }
    }
}
