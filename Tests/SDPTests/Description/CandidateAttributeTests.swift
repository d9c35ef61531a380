import Primitives
import Testing

@testable import SDP

@Suite struct CandidateAttributeTests {
    static let lines = [
        "candidate:2197874412 1 udp 2122260223 127.0.0.1 60626 typ host generation 0 network-id 1 network-cost 50",
        "candidate:4258202740 1 tcp 1518280447 127.0.0.1 9 typ host tcptype active generation 0 ufrag N8s6",
        "candidate:1 1 udp 2122252543 2001:db8::17 49558 typ host",
        "candidate:842163049 1 udp 1677729535 203.0.113.4 51472 typ srflx raddr 192.0.2.10 rport 51472",
        "candidate:3 2 udp 92216831 203.0.113.9 3478 typ relay raddr 203.0.113.4 rport 51472 generation 0",
        "candidate:9 1 udp 1862270975 198.51.100.7 4000 typ prflx raddr :: rport 9",
        "candidate:1 1 udp 2122 0a7f3e0e-93a2-4f0c-9a0c-4c7c7d6d8a11.local 50000 typ host",
        "candidate:1 1 sctp 2122 turn.example.org 50000 typ host",
    ]

    @Test(arguments: lines)
    func aCandidateIsWrittenAsItWasRead(line: String) throws {
        let candidate = try CandidateAttribute(parsing: line)
        #expect(candidate.text == line)
        #expect(try CandidateAttribute(parsing: "a=" + line + "\t") == candidate)
        #expect(try CandidateAttribute(parsing: candidate.value) == candidate)
    }

    @Test func theKindOfAnAddressIsKnown() throws {
        let kinds = try Self.lines.map { try CandidateAttribute(parsing: $0).addressKind }
        #expect(kinds == [.ipv4, .ipv4, .ipv6, .ipv4, .ipv4, .ipv4, .multicastDNS, .name])
    }

    @Test func theFieldsAreRead() throws {
        let relay = try CandidateAttribute(parsing: Self.lines[4])
        #expect(relay.foundation == "3" && relay.component == 2 && relay.priority == 92_216_831 && relay.kind == .relay)
        #expect(relay.relatedAddress == "203.0.113.4" && relay.relatedPort == 51472)
        let tcp = try CandidateAttribute(parsing: Self.lines[1])
        #expect(tcp.transport == .tcp && tcp.tcpType == .active && tcp.ufrag == "N8s6")
        #expect(try CandidateAttribute(parsing: "candidate:1 1 UDP 1 ::1 1 typ host").transport == .udp)
    }

    @Test(arguments: [
        ("", CandidateError.missingFields),
        ("candidate:1 1 udp 1 127.0.0.1 1 typ", .missingFields),
        ("candidate:1 1 udp 1 127.0.0.1 1 host typ", .malformed(field: "typ")),
        ("candidate:1@ 1 udp 1 127.0.0.1 1 typ host", .malformed(field: "foundation")),
        ("candidate:1 0 udp 1 127.0.0.1 1 typ host", .malformed(field: "component")),
        ("candidate:1 257 udp 1 127.0.0.1 1 typ host", .malformed(field: "component")),
        ("candidate:1 1 udp 4294967296 127.0.0.1 1 typ host", .malformed(field: "priority")),
        ("candidate:1 1 udp -1 127.0.0.1 1 typ host", .malformed(field: "priority")),
        ("candidate:1 1 udp 1 fe80::1%eth0 1 typ host", .malformed(field: "address")),
        ("candidate:1 1 udp 1 127.0.0.1 65536 typ host", .malformed(field: "port")),
        ("candidate:1 1 udp 1 127.0.0.1 1 typ hosts", .malformed(field: "type")),
        ("candidate:1 1 udp 1 127.0.0.1 1 typ srflx raddr a/b rport 1", .malformed(field: "raddr")),
        ("candidate:1 1 udp 1 127.0.0.1 1 typ srflx rport x", .malformed(field: "rport")),
        ("candidate:1 1 tcp 1 127.0.0.1 1 typ host tcptype both", .malformed(field: "tcptype")),
        ("candidate:1 1 udp 1 127.0.0.1 1 typ host odd", .malformed(field: "odd")),
        ("candidate:1 1 udp 1 127.0.0.1 1 typ host a b\nm=x", .malformed(field: "line")),
    ])
    func whatIsNoCandidateIsNamed(line: String, error: CandidateError) {
        #expect(throws: error) { try CandidateAttribute(parsing: line) }
    }

    @Test func aLongLineIsRefusedBeforeItIsRead() {
        let line = Self.lines[0] + String(repeating: " a b", count: 400)
        #expect(throws: CandidateError.tooLong(byteCount: line.utf8.count)) { try CandidateAttribute(parsing: line) }
    }

    @Test func whatIsReadFromAMutationIsWrittenAndReadTheSame() throws {
        var generator = SplitMix64(seed: 3)
        var readCount = 0
        for round in 0..<20_000 {
            let bytes = mutated([UInt8](Self.lines[round % Self.lines.count].utf8), using: &generator)
            let line = String(decoding: bytes, as: UTF8.self)
            guard let candidate = try? CandidateAttribute(parsing: line) else { continue }
            readCount += 1
            #expect(try CandidateAttribute(parsing: candidate.text) == candidate)
        }
        #expect(readCount > 1000)
    }

    @Test(arguments: lines)
    func everyPrefixIsReadOrRefused(line: String) {
        for count in 0..<line.count {
            let candidate = try? CandidateAttribute(parsing: String(line.prefix(count)))
            #expect(candidate == nil || candidate?.text.isEmpty == false)
        }
    }
}
