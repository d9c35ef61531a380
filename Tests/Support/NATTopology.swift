/// Two homes, each behind a NAT, and the network between them, on the test's own machine:
///
///     left 10.45.1.2 ── NAT ── 10.45.9.1 ── middle 10.45.9.254 ── 10.45.9.2 ── NAT ── right 10.45.2.2
///
/// The NATs let in only what answers something (RFC 4787: port-dependent filtering).
package final class NATTopology {
    /// How a NAT chooses the outer port of an inner address and port (RFC 4787, section 4.1).
    package enum Mapping {
        /// The same for every destination.
        case endpointIndependent
        /// Another for each destination: what is called symmetric.
        case addressAndPortDependent
    }

    package let left: NetworkNamespace
    package let middle: NetworkNamespace
    package let right: NetworkNamespace
    package static let middleAddress = "10.45.9.254"

    package init(left leftMapping: Mapping, right rightMapping: Mapping) throws {
        let holder = try NamespaceHolder(
            unshare: "-Urnm",
            script: Self.middleScript + Self.homeScript(1, leftMapping) + Self.homeScript(2, rightMapping))
        let mount = holder.prefix + ["-m"]
        middle = NetworkNamespace(prefix: mount + ["-n"], holder: holder)
        left = NetworkNamespace(prefix: mount + ["nsenter", "--net=/run/netns/home1"], holder: holder)
        right = NetworkNamespace(prefix: mount + ["nsenter", "--net=/run/netns/home2"], holder: holder)
    }

    /// A default route to a neighbour that nobody is: what goes to private addresses vanishes, as on the Internet. Without
    /// it coturn closes a session that has tried one.
    private static func routeIntoNothing(_ device: String, _ ip: String) -> String {
        """
        \(ip) neigh add 10.45.9.253 lladdr 02:00:00:00:00:fd dev \(device)
        \(ip) route add default via 10.45.9.253

        """
    }

    private static let middleScript = """
        mount -t tmpfs none /run
        ip link set lo up
        ip link add net type bridge
        ip addr add \(middleAddress)/24 dev net
        ip link set net up

        """ + routeIntoNothing("net", "ip")

    private static func homeScript(_ number: Int, _ mapping: Mapping) -> String {
        let nat = mapping == .endpointIndependent ? "masquerade" : "masquerade fully-random"
        return """
            ip netns add nat\(number)
            ip netns add home\(number)
            ip link add lan netns home\(number) type veth peer name inner netns nat\(number)
            ip link add outer netns nat\(number) type veth peer name port\(number)
            ip link set port\(number) master net up
            ip -n nat\(number) addr add 10.45.\(number).1/24 dev inner
            ip -n nat\(number) addr add 10.45.9.\(number)/24 dev outer
            ip -n home\(number) addr add 10.45.\(number).2/24 dev lan
            ip -n nat\(number) link set inner up
            ip -n nat\(number) link set outer up
            ip -n home\(number) link set lo up
            ip -n home\(number) link set lan up
            ip -n home\(number) route add default via 10.45.\(number).1
            \(routeIntoNothing("outer", "ip -n nat\(number)"))
            nsenter --net=/run/netns/nat\(number) sh -e <<END
            echo 1 > /proc/sys/net/ipv4/ip_forward
            nft -f - <<RULES
            table ip home {
                chain mapping {
                    type nat hook postrouting priority srcnat;
                    oifname outer \(nat)
                }
                chain through {
                    type filter hook forward priority filter;
                    iifname outer ct state new drop
                }
                chain own {
                    type filter hook input priority filter;
                    iifname outer drop
                }
            }
            RULES
            END

            """
    }
}
