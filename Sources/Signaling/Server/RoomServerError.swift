/// Why rooms cannot be served.
package enum RoomServerError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAnAddress(String)
    case plainBeyondLoopback(String)
    case cannotListen(address: String, reason: String)
    case unusableCertificate(String)
    case roomIsOpen(String)

    package var description: String {
        switch self {
        case .notAnAddress(let text):
            "listen: \"\(text)\" is no IPv4 or IPv6 address; use for example 0.0.0.0:7443 or [::]:7443"
        case .plainBeyondLoopback(let address):
            "listen: \(address) can be reached from other machines, and plain HTTP would send tokens readable;"
                + " listen on 127.0.0.1 or use TLS"
        case .cannotListen(let address, let reason):
            "listen: cannot listen on \(address): \(reason); choose another address or port"
        case .unusableCertificate(let reason):
            "listen: \(reason)"
        case .roomIsOpen(let name):
            "room: \(name) is open already; choose another name"
        }
    }
}
