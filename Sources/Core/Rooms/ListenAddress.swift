import ControlProtocol
import Signaling

/// Where rooms are served: `ADDRESS:PORT`, the address in numbers, an IPv6 address in brackets.
struct ListenAddress: Hashable {
    /// Without brackets.
    var address: String
    var port: UInt16

    init(_ text: String) throws(RPCError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(digits: text[text.index(after: colon)...]),
            let address = Self.address(text[..<colon])
        else {
            throw .invalidParams("listen: expected ADDRESS:PORT, such as 0.0.0.0:7443 or [::]:7443, got \(text.quoted)")
        }
        self.address = address
        self.port = port
    }

    private static func address(_ text: Substring) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        // Without brackets the last part of an IPv6 address would be taken for a port.
        guard isBracketed == text.contains(":") else { return nil }
        let bare = isBracketed ? text.dropFirst().dropLast() : text
        // Names have to be looked up, and may lead anywhere.
        return (try? LinkHost(String(bare)))?.isAddress == true ? String(bare) : nil
    }
}
