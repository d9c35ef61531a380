import Primitives
import Testing

@testable import Signaling

@Suite struct RoomProtocolTests {
    static let hello = Hello(
        room: "standup", token: "t", name: "ann", identity: "0123456789abcdef", session: "s1", capabilities: ["video"])
    static let member = RoomMember(
        id: MemberID("m2"), session: "s2", name: "bob", role: .guest, status: MemberStatus(muted: true))
    static let welcome = Welcome(
        id: MemberID("m1"), server: "i1", room: "standup", role: .host, resumed: false, members: [member],
        waiting: ["chi"],
        iceServers: [ICEServer(urls: ["turn:turn.example.org"], username: "u", credential: "c")],
        limits: Welcome.Limits(seats: 8, messageBytes: 65536, descriptionBytes: 131072, pingSeconds: 5),
        expiresIn: 3600)
    static let peers: [PeerMessage] = [
        .description(PeerDescription(kind: .offer, sdp: "v=0\r\n")),
        .candidate(PeerCandidate(candidate: "candidate:1 1 udp 1 192.0.2.1 9 typ host", mid: "0", ufrag: "u")),
        .candidate(PeerCandidate(candidate: "")),
        .status(MemberStatus(muted: true, held: true, deafened: true, video: true, recording: true)),
        .view(PictureWish(layer: .low)),
        .limit(PictureLimit(layer: .none)),
        .report(LossReport(seconds: 5, losses: [LossReport.Loss(sender: MemberID("m2"), expected: 250, lost: 20)])),
        .commitment(PeerCommitment(hash: "00ff")),
        .reveal(PeerReveal(fingerprint: "sha-256 AA:BB", nonce: "0011")),
    ]
    static let fromClient: [ClientMessage] =
        [
            .hello(hello), .enter, .leave(closes: true), .leave(closes: false), .ping(number: 1), .pong(number: 2),
            .ring(RingInvite(call: RingID("c"), name: "chi", interval: 5)),
            .ringCancel(RingCancel(call: RingID("c"), name: "chi")),
            .ringAnswer(RingReply(call: RingID("c"), to: MemberID("m1"), answer: .rejected)),
            .renew(token: "t"), .renew(token: nil), .host(.admit(MemberID("m3"))),
            .host(.decline(MemberID("m3"), reason: "later")), .host(.kick(MemberID("m2"), reason: nil)),
            .host(.extend(MemberID("m2"), seconds: 3600)), .host(.extend(MemberID("m2"), seconds: nil)),
        ] + peers.map { .relay(to: MemberID("m2"), $0) }
    static let fromServer: [ServerMessage] =
        [
            .welcome(welcome), .refused(Refusal(.roomFull, "room is full")), .joined(member),
            .left(id: MemberID("m2"), reason: .lost), .waiting(names: ["chi"]), .closing(reason: "done"),
            .ring(IncomingInvite(call: RingID("c"), from: MemberID("m1"), name: "ann", interval: 5)),
            .ringCancel(IncomingCancel(call: RingID("c"), from: MemberID("m1"))),
            .ringAnswer(IncomingReply(call: RingID("c"), name: "chi", answer: .accepted)),
            .ringState(RingReport(call: RingID("c"), name: "chi", state: .absent)),
            .lobby(room: "standup", seconds: 45),
            .knock(Knock(id: MemberID("m3"), name: "dee", role: .listener, seconds: 45)),
            .knockOver(MemberID("m3"), .unanswered), .expiring(seconds: 30),
            .renewed(Renewal(expiresIn: 3600, token: "t")), .renewed(Renewal(expiresIn: nil)),
            .renewalWanted(MemberID("m2")),
            .error(Refusal(.unknownMember, "gone"), about: "candidate"), .ping(number: 1), .pong(number: 2),
        ] + peers.map { .relay(from: MemberID("m2"), $0) }

    func client(_ text: String) throws(RoomMessageError) -> ClientMessage {
        try RoomProtocol.decode(ClientMessage.self, from: [UInt8](text.utf8).span.bytes)
    }

    @Test func everyMessageComesBackAsItWas() throws {
        for message in Self.fromClient {
            let bytes = RoomProtocol.encode(message)
            #expect(try RoomProtocol.decode(ClientMessage.self, from: bytes.span.bytes) == message)
        }
        for message in Self.fromServer {
            let bytes = RoomProtocol.encode(message)
            #expect(try RoomProtocol.decode(ServerMessage.self, from: bytes.span.bytes) == message)
        }
    }

    @Test func theWireFormIsWhatIsDocumented() {
        let offer = ClientMessage.relay(to: MemberID("m2"), Self.peers[0])
        #expect(
            String(decoding: RoomProtocol.encode(offer), as: UTF8.self)
                == #"{"kind":"offer","sdp":"v=0\r\n","to":"m2","type":"description"}"#)
        #expect(
            String(decoding: RoomProtocol.encode(ClientMessage.hello(Self.hello)), as: UTF8.self)
                == #"{"capabilities":["video"],"identity":"0123456789abcdef","intent":"join","name":"ann","#
                + #""room":"standup","session":"s1","token":"t","type":"hello","version":1}"#)
        #expect(
            String(decoding: RoomProtocol.encode(ServerMessage.left(id: MemberID("m2"), reason: .lost)), as: UTF8.self)
                == #"{"id":"m2","reason":"lost","type":"left"}"#)
    }

    @Test func absentFieldsHaveTheirDefaultsAndUnknownOnesAreIgnored() throws {
        let text =
            #"{"type":"hello","version":1,"room":"r","name":"n","identity":"0123456789abcdef","session":"s","new":[1]}"#
        guard case .hello(let hello) = try client(text) else { return #expect(Bool(false)) }
        #expect(hello.token == "" && hello.intent == .join && hello.capabilities.isEmpty)
        #expect(try client(#"{"type":"status"}"#) == .relay(to: nil, .status(MemberStatus())))
    }

    @Test(arguments: [
        ("", "not a JSON object"), ("[]", "not a JSON object"), ("{}", "\"type\" is missing"),
        (#"{"type":1}"#, "\"type\" has the wrong type"), (#"{"type":"dance"}"#, "\"dance\" is unknown"),
        (#"{"type":"ping"}"#, "\"number\" is missing"), (#"{"type":"ping","number":1e99}"#, "malformed"),
        (#"{"type":"candidate","candidate":""}"#, "\"to\" is missing"),
        (#"{"type":"description","to":"m","kind":"wish","sdp":"v"}"#, "\"kind\" holds an unknown value"),
        (#"{"type":"ring","call":"c","name":"bob","interval":0}"#, "1 to 60"),
        (#"{"type":"report","seconds":5,"losses":[{"sender":"m","expected":1,"lost":2}]}"#, "out of range"),
    ])
    func whatIsWrongIsNamed(_ text: String, _ reason: String) {
        #expect(throws: RoomMessageError.self) { try client(text) }
        do throws(RoomMessageError) {
            _ = try client(text)
        } catch {
            #expect(error.description.contains(reason), "\(error)")
        }
    }

    func hello(name: String) -> RoomMessageError? {
        var hello = Self.hello
        hello.name = name
        do throws(RoomMessageError) {
            _ = try RoomProtocol.decode(
                ClientMessage.self, from: RoomProtocol.encode(ClientMessage.hello(hello)).span.bytes)
            return nil
        } catch { return error }
    }

    @Test func namesAreBoundedAndFreeOfControls() {
        #expect(hello(name: String(repeating: "ä", count: 127)) == nil)
        #expect(hello(name: "👩‍👩‍👧 Ann") == nil)
        for bad in ["", String(repeating: "ä", count: 128), "a\u{1B}[2J", "a\nb", "a\u{202E}b", "a\u{7F}", "a\u{9B}m"] {
            #expect(hello(name: bad) != nil, "\(bad.debugDescription)")
        }
    }

    @Test func onlyDescriptionsMayBeLong() throws {
        let long = String(repeating: "x", count: RoomProtocol.messageByteLimit)
        _ = try client(#"{"type":"description","to":"m","kind":"offer","sdp":"\#(long)"}"#)
        let other = #"{"type":"status","other":"\#(long)"}"#
        #expect(throws: RoomMessageError.tooLong(byteCount: other.utf8.count, limit: 65536)) { try client(other) }
        let longer = #"{"type":"description","to":"m","kind":"offer","sdp":"\#(long + long)"}"#
        #expect(throws: RoomMessageError.tooLong(byteCount: longer.utf8.count, limit: 131072)) { try client(longer) }
    }

    @Test func deepNestingIsRefused() {
        let deep = String(repeating: "[", count: 30_000)
        #expect(throws: RoomMessageError.self) { try client(#"{"type":"status","x":"# + deep) }
    }

    @Test func everyPrefixIsReadOrRefused() {
        for message in Self.fromClient.map({ RoomProtocol.encode($0) }) {
            for length in 0..<message.count {
                let prefix = Array(message.prefix(length))
                #expect(throws: RoomMessageError.self) {
                    try RoomProtocol.decode(ClientMessage.self, from: prefix.span.bytes)
                }
            }
        }
    }

    @Test func twentyThousandMutationsAreReadOrRefused() {
        let corpus = Self.fromClient.map { RoomProtocol.encode($0) } + Self.fromServer.map { RoomProtocol.encode($0) }
        var random = SplitMix64(seed: 7)
        var (read, refused) = (0, 0)
        for round in 0..<20_000 {
            var bytes = corpus[round % corpus.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, &random) }
            if (try? RoomProtocol.decode(ClientMessage.self, from: bytes.span.bytes)) != nil { read += 1 }
            if (try? RoomProtocol.decode(ServerMessage.self, from: bytes.span.bytes)) == nil { refused += 1 }
        }
        #expect(read > 100 && refused > 1000)
    }

    func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert([UInt8](#""{}[,\-9"#.utf8).randomElement(using: &random) ?? 0, at: place)
        case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.append(contentsOf: bytes.prefix(place))
        }
    }
}
