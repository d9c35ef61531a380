import Testing

@testable import Signaling

@Suite struct ReachableAddressesTests {
    static let interfaces = [
        ReachableAddresses.Interface(name: "lo", address: "127.0.0.1"),
        ReachableAddresses.Interface(name: "lo", address: "::1"),
        ReachableAddresses.Interface(name: "docker0", address: "172.17.0.1"),
        ReachableAddresses.Interface(name: "eth0", address: "2001:db8::5"),
        ReachableAddresses.Interface(name: "eth0", address: "fe80::1"),
        ReachableAddresses.Interface(name: "eth0", address: "192.168.1.5"),
        ReachableAddresses.Interface(name: "wlan0", address: "10.0.0.7"),
        ReachableAddresses.Interface(name: "usb0", address: "169.254.3.4"),
    ]

    func list(_ listening: String, publicly: String? = nil, ssh: String? = nil) -> [String] {
        ReachableAddresses.list(
            listening: listening, publicAddress: publicly, sshConnection: ssh, interfaces: Self.interfaces)
    }

    @Test func theAddressThatSSHUsedComesFirstAndLoopbackLast() {
        #expect(
            list("0.0.0.0", ssh: "10.0.0.9 50000 10.0.0.7 22")
                == ["10.0.0.7", "192.168.1.5", "172.17.0.1", "127.0.0.1"])
    }

    @Test func thePublicAddressComesBeforeAll() {
        let found = list("0.0.0.0", publicly: "call.example.org", ssh: "10.0.0.9 50000 10.0.0.7 22")
        #expect(found.prefix(2) == ["call.example.org", "10.0.0.7"])
    }

    @Test func listeningOnIPv6NamesBothFamilies() {
        #expect(
            list("::") == ["192.168.1.5", "10.0.0.7", "2001:db8::5", "172.17.0.1", "127.0.0.1", "::1"])
    }

    @Test func listeningOnOneAddressNamesOnlyThat() {
        #expect(list("127.0.0.1", ssh: "10.0.0.9 50000 10.0.0.7 22") == ["127.0.0.1"])
    }

    @Test(arguments: [
        "", "nonsense", "1.2.3.4 5 6", "a b c d", "1.2.3.4 5 example.org 22", "::1 5 ::1 22",
        "fe80::2 5 fe80::1%eth0 22", "127.0.0.1 5 127.0.0.1 22",
    ])
    func anUnusableSSHConnectionIsIgnored(_ connection: String) {
        #expect(list("0.0.0.0", ssh: connection) == list("0.0.0.0"))
    }

    @Test func thisMachineHasALoopbackInterface() {
        #expect(ReachableAddresses.interfaces().contains { $0.address == "127.0.0.1" })
    }
}
