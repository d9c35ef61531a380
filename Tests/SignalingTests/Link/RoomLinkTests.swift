import Primitives
import Testing

@testable import Signaling

@Suite struct RoomLinkTests {
    static let token = "AAECAwQFBgcICQoLDA0ODw"
    static let pin = "LCa0a2j_xo_5m0U8HTBBNBNCLXBkg7-g-YpeiGJm564"
    static let whole = "https://192.0.2.7:7443/r/standup#\(token).\(pin)"

    @Test(arguments: [
        whole,
        "https://[2001:db8::1]:7443/r/standup#\(token).\(pin)",
        "https://[fe80::1%25eth0]:7443/r/standup#\(token).\(pin)",
        "https://pi.example/r/standup#\(token)",
        "https://pi.example:7443/r/caf%C3%A9%20%2F%20bar%3F%23#\(token).\(pin)",
        "http://127.0.0.1:7080/r/standup#\(token)",
        "http://[::1]:7080/r/standup#\(token)",
        "http://localhost:7080/r/standup#\(token)",
        "https://xn--bcher-kva.example:7443/r/standup#\(token)",
    ])
    func aLinkIsPrintedAsItWasRead(text: String) throws {
        #expect(try RoomLink(text).text == text)
    }

    @Test func thePartsOfALinkAreRead() throws {
        let link = try RoomLink("  <HTTPS://Pi.Example/r/caf%C3%A9#\(Self.token).\(Self.pin)>\n")
        #expect(link.scheme == .https && link.host == "pi.example" && link.port == 443)
        #expect(link.room.text == "café" && link.token.bytes == Array(0..<16))
        #expect(link.fingerprint?.linkText == Self.pin)
        #expect(link.socketAddress == "wss://pi.example/ws")
        #expect(!link.publicText.contains("#"))
        #expect(try RoomLink("https://bücher.example:1/r/x#\(Self.token)").host == "xn--bcher-kva.example")
    }

    @Test(arguments: [
        ("https://192.0.2.7:7443/r/standup#\(String(token.reversed()))", true),
        ("https://pi.example/r/standup#\(token)", true),
        ("https://pi.example/r/standup#\(String(token.reversed())).\(pin)", true),
        ("https://192.0.2.7:7444/r/standup#\(String(token.reversed()))", false),
        ("https://192.0.2.7:7443/r/retro#\(token).\(pin)", false),
    ])
    func oneRoomHasManyLinks(text: String, isSame: Bool) throws {
        let (link, other) = (try RoomLink(Self.whole), try RoomLink(text))
        #expect(link.isSameRoom(as: other) == isSame && other.isSameRoom(as: link) == isSame)
    }

    @Test func theZoneOfAnAddressIsKeptApartFromItsEncoding() throws {
        let link = try RoomLink("https://[fe80::1%25eth0]:7443/r/x#\(Self.token)")
        #expect(link.host == "fe80::1%eth0")
        #expect(link.authority == "[fe80::1%25eth0]:7443")
    }

    @Test(arguments: [
        ("", RoomLinkError.empty),
        ("  \n", .empty),
        ("standup", .notALink),
        ("://x/r/y#\(token)", .notALink),
        ("sip://bob@example.org", .unsupportedScheme("sip")),
        ("http://192.0.2.7:7080/r/x#\(token)", .unencrypted(host: "192.0.2.7")),
        ("http://localhost.example:7080/r/x#\(token)", .unencrypted(host: "localhost.example")),
        ("https:///r/x#\(token)", .missingHost),
        ("https://:7443/r/x#\(token)", .missingHost),
        ("https://a..b:7443/r/x#\(token)", .invalidHost("a..b")),
        ("https://a_b!:7443/r/x#\(token)", .invalidHost("a_b!")),
        ("https://[::g]:7443/r/x#\(token)", .invalidHost("[::g]")),
        ("https://::1:7443/r/x#\(token)", .invalidPort(":1:7443")),
        ("https://[1.2.3.4]:7443/r/x#\(token)", .invalidHost("[1.2.3.4]")),
        ("https://good.example@evil.example:7443/r/x#\(token)", .userInformation),
        ("https://h:0/r/x#\(token)", .invalidPort("0")),
        ("https://h:65536/r/x#\(token)", .invalidPort("65536")),
        ("https://h:+80/r/x#\(token)", .invalidPort("+80")),
        ("https://h:/r/x#\(token)", .invalidPort("")),
        ("https://h:1#\(token)", .notARoom(path: "/")),
        ("https://h:1/x#\(token)", .notARoom(path: "/x")),
        ("https://h:1/r/a/b#\(token)", .notARoom(path: "/r/a/b")),
        ("https://h:1/r/x?token=\(token)#\(token)", .query),
        ("https://h:1/r/#\(token)", .invalidRoomName(.empty)),
        ("https://h:1/r/%2E%2e#\(token)", .invalidRoomName(.dots)),
        ("https://h:1/r/a%0Ab#\(token)", .invalidRoomName(.controlCharacter(10))),
        ("https://h:1/r/a%E2%80%AEb#\(token)", .invalidRoomName(.controlCharacter(0x202E))),
        ("https://h:1/r/a%2#\(token)", .invalidPercentEncoding),
        ("https://h:1/r/a%zz#\(token)", .invalidPercentEncoding),
        ("https://h:1/r/a%FF#\(token)", .invalidPercentEncoding),
        ("https://h:1/r/x", .missingToken),
        ("https://h:1/r/x#", .missingToken),
        ("https://h:1/r/x#.\(pin)", .missingToken),
        ("https://h:1/r/x#short.\(pin)", .invalidToken),
        ("https://h:1/r/x#\(token)=.\(pin)", .invalidToken),
        ("https://h:1/r/x#\(token).", .invalidFingerprint),
        ("https://h:1/r/x#\(token).\(pin.dropLast())", .invalidFingerprint),
        ("https://h:1/r/x y#\(token)", .controlCharacter),
    ])
    func everyKindOfWrongLinkIsNamed(text: String, error: RoomLinkError) {
        #expect(throws: error) { try RoomLink(text) }
        #expect(!error.description.contains(Self.token), "an error never repeats the secret")
    }

    @Test(arguments: [
        ("https://meet.example", "https://meet.example"), ("https://Meet.Example:443/", "https://meet.example"),
        ("https://meet.example:8443", "https://meet.example:8443"), ("https://[2001:db8::1]", "https://[2001:db8::1]"),
        ("http://localhost:8080", "http://localhost:8080"),
    ])
    func aPublicOriginIsReadAsBrowsersNameIt(text: String, origin: String) {
        #expect(PublicOrigin(text)?.text == origin)
    }

    @Test(arguments: [
        "", "meet.example", "https://", "https://meet.example/rooms", "https://meet.example?x", "http://meet.example",
        "https://u@meet.example", "https://meet.example#x", "https://meet.example//", "ftp://meet.example",
        "https:///x",
    ])
    func whatIsNoPublicOriginIsRefused(text: String) {
        #expect(PublicOrigin(text) == nil)
    }

    @Test func aLongTextIsRefusedBeforeItIsRead() {
        #expect(throws: RoomLinkError.tooLong(byteCount: 4000)) { try RoomLink(String(repeating: "x", count: 4000)) }
    }

    @Test func aRoomOf255BytesStillFitsALink() throws {
        let name = String(repeating: "é", count: 127) + "x"
        let token = try #require(RoomToken(bytes: [UInt8](repeating: 255, count: 96)))
        let pin = CertificateFingerprint(ofCertificate: [])
        let link = try RoomLink(
            host: "[2001:db8::1]", port: 7443, room: RoomName(name), token: token, fingerprint: pin)
        #expect(try RoomLink(link.text) == link)
        #expect(throws: NameError.tooLong(byteCount: 256)) { try RoomName(name + "y") }
    }

    @Test func everyPrefixOfALinkIsReadOrRefused() {
        for count in 0..<Self.whole.count {
            let link = try? RoomLink(String(Self.whole.prefix(count)))
            // Only a cut between the secret and the fingerprint leaves a whole link.
            #expect(link == nil || link?.fingerprint == nil)
        }
    }

    @Test func whatIsReadFromAMutationIsPrintedAndReadTheSame() throws {
        var generator = SplitMix64(seed: 0x11)
        var readCount = 0
        for _ in 0..<20_000 {
            var bytes = [UInt8](Self.whole.utf8)
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 1...255, using: &generator)
            }
            guard let link = try? RoomLink(String(decoding: bytes, as: UTF8.self)) else { continue }
            readCount += 1
            #expect(try RoomLink(link.text) == link)
        }
        #expect(readCount > 1000)
    }
}
