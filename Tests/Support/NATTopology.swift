/// Homes, each behind a NAT, and the network between them, on the test's own machine:
///
///     home 10.45.1.2 ── NAT ── 10.45.9.1 ──┐
///     home 10.45.2.2 ── NAT ── 10.45.9.2 ──┼── middle 10.45.9.254
///     …                                    ┘
package final class NATTopology {
    /// The kinds of NAT by their usual names (RFC 3489, section 5), with what RFC 4787 (sections 4.1 and 5) says of them.
    package enum NAT: String, CaseIterable {
        /// Endpoint-independent mapping and filtering: who knows the outer port gets in.
        case fullCone = "full cone"
        /// Endpoint-independent mapping, address-dependent filtering.
        case addressRestricted = "address-restricted"
        /// Endpoint-independent mapping, address-and-port-dependent filtering.
        case portRestricted = "port-restricted"
        /// Address-and-port-dependent mapping and filtering: another outer port for each destination.
        case symmetric
    }

    package let homes: [NetworkNamespace]
    package let middle: NetworkNamespace
    package static let middleAddress = "10.45.9.254"

    /// At most eight.
    package init(_ nats: [NAT]) throws {
        let scripts = nats.enumerated().map { Self.homeScript($0.offset + 1, $0.element) }
        let holder = try NamespaceHolder(
            unshare: "-Urnm",
            script: Self.middleScript + scripts.joined()
                + nats.indices.map { Self.readiness(of: $0 + 1) }.joined(separator: "\n"))
        let mount = holder.prefix + ["-m"]
        middle = NetworkNamespace(prefix: mount + ["-n"], holder: holder)
        homes = nats.indices.map { index in
            NetworkNamespace(prefix: mount + ["nsenter", "--net=/run/netns/home\(index + 1)"], holder: holder)
        }
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

    /// An interface whose carrier the kernel has not seen yet has no address that could be offered.
    private static func readiness(of number: Int) -> String {
        "for _ in $(seq 200); do ip -n home\(number) link show lan | grep -q 'state UP' && break; sleep 0.05; done"
    }

    private static func homeScript(_ number: Int, _ nat: NAT) -> String {
        """
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
        \(rules(of: nat, home: "10.45.\(number).2"))
        RULES
        END

        """
    }

    /// A cone NAT keeps the port, so that what it lets in finds its way by the port alone.
    private static func rules(of nat: NAT, home: String) -> String {
        let inward =
            switch nat {
            case .fullCone, .addressRestricted: "iifname outer udp dport >= 1024 dnat to \(home)"
            case .portRestricted, .symmetric: ""
            }
        let admitted =
            switch nat {
            case .fullCone: "iifname outer ct state new ct status dnat accept"
            case .addressRestricted: "iifname outer ct state new ip saddr @known accept"
            case .portRestricted, .symmetric: ""
            }
        return """
            table ip home {
                set known {
                    type ipv4_addr
                    flags dynamic
                }
                chain outward {
                    type nat hook postrouting priority srcnat;
                    oifname outer masquerade \(nat == .symmetric ? "fully-random" : "")
                }
                chain inward {
                    type nat hook prerouting priority dstnat;
                    \(inward)
                }
                chain through {
                    type filter hook forward priority filter;
                    oifname outer update @known { ip daddr }
                    \(admitted)
                    iifname outer ct state new drop
                }
                chain own {
                    type filter hook input priority filter;
                    iifname outer drop
                }
            }
            """
    }
}
