internal import Glibc

/// The addresses under which a host that listens here can be reached, the likeliest first: for the links that it prints.
package enum ReachableAddresses {
    /// One address of one network interface that is up.
    package struct Interface: Hashable, Sendable {
        package var name: String
        /// IPv4 or IPv6, without a zone.
        package var address: String

        package init(name: String, address: String) {
            self.name = name
            self.address = address
        }
    }

    /// What a link may name: what the user said, then the address that this terminal's SSH client used, then those of
    /// the interfaces (IPv4 first, bridges of containers and virtual machines later), and loopback last.
    ///
    /// `listening`: the address listened on; unless it is `0.0.0.0` or `::` nothing else is reachable.
    /// `sshConnection`: the value of `SSH_CONNECTION` (client address and port, server address and port).
    package static func list(
        listening: String, publicAddress: String?, sshConnection: String?, interfaces: [Interface]
    ) -> [String] {
        var found = [publicAddress].compactMap { $0 }.filter { !$0.isEmpty }
        guard let any = Family.ofWildcard(listening) else { return unique(found + [listening]) }
        if let server = sshConnection.flatMap(serverAddress), any.covers(server), !isLoopback(server) {
            found.append(server)
        }
        let usable = interfaces.filter { any.covers($0.address) && !isLinkLocal($0.address) }
        let ordered = usable.enumerated().sorted { left, right in
            (rank(left.element), left.offset) < (rank(right.element), right.offset)
        }
        return unique(found + ordered.map(\.element.address))
    }

    /// As `list`, asking this machine for its interfaces.
    package static func current(listening: String, publicAddress: String?, sshConnection: String?) -> [String] {
        list(
            listening: listening, publicAddress: publicAddress, sshConnection: sshConnection,
            interfaces: interfaces())
    }

    /// The addresses of the interfaces that are up.
    package static func interfaces() -> [Interface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        guard let first else { return [] }
        return sequence(first: first) { $0.pointee.ifa_next }.compactMap { entry in
            guard entry.pointee.ifa_flags & UInt32(IFF_UP) != 0,
                let address = text(of: entry.pointee.ifa_addr)
            else { return nil }
            return Interface(name: String(cString: entry.pointee.ifa_name), address: address)
        }
    }

    private enum Family {
        case four
        case both

        static func ofWildcard(_ address: String) -> Family? {
            switch address {
            case "0.0.0.0": .four
            case "::": .both
            default: nil
            }
        }

        func covers(_ address: String) -> Bool {
            self == .both || !address.contains(":")
        }
    }

    /// The third field, if it is an address.
    private static func serverAddress(_ connection: String) -> String? {
        let fields = connection.split(separator: " ")
        guard fields.count == 4 else { return nil }
        let address = fields[2].prefix { $0 != "%" }
        return isAddress(String(address)) && !isLinkLocal(String(address)) ? String(address) : nil
    }

    private static func rank(_ interface: Interface) -> Int {
        if isLoopback(interface.address) { return 4 + (interface.address.contains(":") ? 1 : 0) }
        let isBridge = ["docker", "br-", "virbr", "veth", "lxc", "cni", "podman"].contains {
            interface.name.hasPrefix($0)
        }
        return (isBridge ? 2 : 0) + (interface.address.contains(":") ? 1 : 0)
    }

    private static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.")
    }

    private static func isLinkLocal(_ address: String) -> Bool {
        let lower = address.lowercased()
        return lower.hasPrefix("169.254.") || ["fe8", "fe9", "fea", "feb"].contains { lower.hasPrefix($0) }
    }

    private static func isAddress(_ text: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    private static func unique(_ addresses: [String]) -> [String] {
        var seen: Set<String> = []
        return addresses.filter { seen.insert($0).inserted }
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>?) -> String? {
        guard let address else { return nil }
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        let bytes = host.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
