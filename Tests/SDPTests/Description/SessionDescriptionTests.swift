import Primitives
import Testing

@testable import SDP

@Suite struct SessionDescriptionTests {
    @Test func everyFixtureIsListed() {
        #expect(Fixture.all.count == 13)
    }

    @Test(arguments: Fixture.all)
    func aRealDescriptionIsWrittenAsItWasRead(name: String) throws {
        let text = try Fixture.text(name)
        let description = try SessionDescription(parsing: text)
        #expect(description.text == text)
    }

    @Test(arguments: Fixture.all)
    func everyPrefixIsReadOrRefused(name: String) throws {
        let bytes = [UInt8](try Fixture.text(name).utf8)
        var readCount = 0
        for count in bytes.indices {
            guard let description = try? parse(bytes[..<count]) else { continue }
            readCount += 1
            #expect(description.sections.count <= 3)
        }
        #expect(readCount > bytes.count / 2, "a prefix that ends after the origin is a description")
    }

    @Test(arguments: Fixture.all.enumerated().map { ($0.offset, $0.element) })
    func whatIsReadFromAMutationIsWrittenAndReadTheSame(seed: Int, name: String) throws {
        let original = [UInt8](try Fixture.text(name).utf8)
        var generator = SplitMix64(seed: UInt64(seed))
        var readCount = 0
        for _ in 0..<20_000 / Fixture.all.count + 1 {
            let bytes = mutated(original, using: &generator)
            guard let description = try? parse(bytes[...]) else { continue }
            readCount += 1
            #expect(try SessionDescription(parsing: description.text).text == description.text)
            if readCount % 16 == 0 { touchEverything(of: description) }
        }
        #expect(readCount > 100)
    }

    private func parse(_ bytes: ArraySlice<UInt8>) throws -> SessionDescription {
        try SessionDescription(parsing: String(decoding: bytes, as: UTF8.self))
    }

    private func touchEverything(of description: SessionDescription) {
        _ = (description.groups, description.fingerprints, description.setup, description.isICELite)
        for section in description.sections {
            _ = (section.mid, section.rtpMaps, section.headerExtensions, section.candidates, section.sources)
            _ = (section.streams, section.packetTime, section.maximumPacketTime, description.direction(of: section))
            _ = (description.credentials(for: section), description.setup(for: section))
            for map in section.rtpMaps {
                _ = section.formatParameters(of: map.payloadType).map { OpusParameters($0).text }
            }
        }
    }

    @Test func bareLineFeedsEmptyLinesAndMissingEndsAreRead() throws {
        let strict = try SessionDescription(parsing: Fixture.small)
        let bare = Fixture.small.split(separator: "\r\n").joined(separator: "\n\n")
        #expect(try SessionDescription(parsing: bare) == strict)
    }

    @Test func unknownLinesAndAttributesAreKept() throws {
        let start = Fixture.small.replacing("t=0 0\r\n", with: "t=0 0\r\ny=what\r\na=x-new:1\r\n")
        let text = start + "q=more\r\na=flag\r\n"
        let description = try SessionDescription(parsing: text)
        #expect(description.lines.contains(SDPLine(type: "y", value: "what")))
        #expect(description.value(of: "x-new") == "1")
        #expect(description.sections[0].lines.contains(SDPLine(type: "q", value: "more")))
        #expect(description.sections[0].has("flag"))
        #expect(try SessionDescription(parsing: description.text) == description)
    }

    @Test func theWriterHasTheOrderOfTheStandard() throws {
        let session = "v=0\no=- 1 1 IN IP4 h\na=x\nb=AS:1\nt=0 0\nc=IN IP4 h\ns=n\ni=info\n"
        let text = session + "m=audio 1 P 0\na=y\nc=IN IP4 g\n"
        #expect(
            try SessionDescription(parsing: text).text.split(separator: "\r\n").map { $0.prefix(1) }
                == ["v", "o", "s", "i", "c", "b", "t", "a", "m", "c", "a"])
    }

    @Test func aMissingTimeIsWrittenAsZero() throws {
        #expect(
            try SessionDescription(parsing: "v=0\no=- 1 1 IN IP4 h").text
                == "v=0\r\no=- 1 1 IN IP4 h\r\ns=-\r\nt=0 0\r\n")
    }

    @Test func aValueNeverBecomesASecondLine() throws {
        var description = try SessionDescription(parsing: Fixture.small)
        description.sections[0].add("x", "1\r\na=ice-pwd:stolenstolenstolenstolen\n\0")
        let again = try SessionDescription(parsing: description.text)
        #expect(again.sections[0].values(of: "ice-pwd").count == 1)
        #expect(again.sections[0].value(of: "x") == "1a=ice-pwd:stolenstolenstolenstolen")
    }

    @Test(arguments: [
        ("", SDPError.missingVersion),
        ("o=- 1 1 IN IP4 h\n", .missingVersion),
        ("v=1\n", .missingVersion),
        ("v=0\n", .missingOrigin),
        ("v=0\nmalformed\n", .malformedLine(2)),
        ("v=0\nab=c\n", .malformedLine(2)),
        ("v=0\n=c\n", .malformedLine(2)),
        ("v=0\no=- x 1 IN IP4 h\n", .malformedOrigin(line: 2)),
        ("v=0\no=- 1 -1 IN IP4 h\n", .malformedOrigin(line: 2)),
        ("v=0\no=- 1 1 IN IP4\n", .malformedOrigin(line: 2)),
        ("v=0\no=- 1 1 IN IP4 h\no=- 1 1 IN IP4 h\n", .malformedOrigin(line: 3)),
        ("v=0\no=- 1 1 IN IP4 h\nm=audio\n", .malformedMedia(line: 3)),
        ("v=0\no=- 1 1 IN IP4 h\nm=audio 65536 RTP/AVP 0\n", .malformedMedia(line: 3)),
        ("v=0\no=- 1 1 IN IP4 h\nm=audio 9/0 RTP/AVP 0\n", .malformedMedia(line: 3)),
        ("v=0\no=- 1 1 IN IP4 h\ns=a\rb\n", .controlCharacter(line: 3)),
        ("v=0\no=- 1 1 IN IP4 h\ns=a\0b\n", .controlCharacter(line: 3)),
    ])
    func whatIsNoDescriptionIsNamed(text: String, error: SDPError) {
        #expect(throws: error) { try SessionDescription(parsing: text) }
    }

    @Test func whatIsTooLargeIsRefused() {
        let head = "v=0\no=- 1 1 IN IP4 h\n"
        let section = "m=audio 9 P 0\n"
        let candidate = "a=candidate:1 1 udp 1 127.0.0.1 1 typ host\n"
        let cases: [(String, SDPError)] = [
            (String(repeating: "x", count: 65_537), .tooLarge(byteCount: 65_537, limit: 65_536)),
            (head + String(repeating: section, count: 65), .tooManySections(limit: 64)),
            (head + section + String(repeating: candidate, count: 201), .tooManyCandidates(limit: 200)),
            (head + String(repeating: "a=b\n", count: 4096), .tooManyLines(limit: 4096)),
            (head + "a=" + String(repeating: "x", count: 8191), .lineTooLong(line: 3, limit: 8192)),
        ]
        for (text, error) in cases {
            #expect(throws: error) { try SessionDescription(parsing: text) }
        }
        #expect(throws: Never.self) {
            _ = try SessionDescription(parsing: head + String(repeating: section, count: 64))
            _ = try SessionDescription(parsing: head + section + String(repeating: candidate, count: 200))
        }
    }
}

/// One to four edits: a byte changed, a stretch left out, doubled or moved.
func mutated(_ original: [UInt8], using generator: inout SplitMix64) -> [UInt8] {
    var bytes = original
    for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let start = Int.random(in: 0..<max(1, bytes.count), using: &generator)
        let end = min(bytes.count, start + Int.random(in: 1..<60, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where start < bytes.count: bytes[start] = .random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
        default:
            let part = bytes[start..<end]
            bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &generator))
        }
    }
    return bytes
}
