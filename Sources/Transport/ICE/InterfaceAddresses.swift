import CGLib
import CNice

/// The addresses of this machine's interfaces that are up, in numbers: what can be offered.
package enum InterfaceAddresses {
    /// Link-local addresses are left out: they mean nothing without the name of an interface, which a candidate cannot
    /// carry (RFC 8445, section 5.1.1.1 leaves them out likewise where there are others).
    package static func current(withLoopback: Bool) -> [String] {
        var addresses: [String] = []
        let list = nice_interfaces_get_local_ips(withLoopback ? 1 : 0)
        defer { g_list_free(list) }
        var item = list
        while let node = item {
            if let text = node.pointee.data {
                addresses.append(String(cString: text.assumingMemoryBound(to: CChar.self)))
                g_free(text)
            }
            item = node.pointee.next
        }
        return addresses.filter { !isLinkLocal($0) }
    }

    /// fe80::/10 and 169.254/16.
    static func isLinkLocal(_ address: String) -> Bool {
        let lower = address.lowercased()
        return lower.hasPrefix("169.254.") || ["fe8", "fe9", "fea", "feb"].contains { lower.hasPrefix($0) }
    }
}
