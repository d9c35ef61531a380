import Primitives
import Testing

@testable import Signaling

@Suite struct RoomTokenTests {
    private let generator = SplitMix64(seed: 5)

    @Test func aNewTokenHasAtLeast128BitsAndIsUnlikeTheNext() {
        var generator = generator
        let tokens = (0..<100).map { _ in RoomToken(using: &generator) }
        #expect(tokens.allSatisfy { $0.bytes.count * 8 >= 128 })
        #expect(Set(tokens.map(\.text)).count == 100)
        #expect(RoomToken(tokens[0].text) == tokens[0] && tokens[0] != tokens[1])
    }

    @Test func aDescriptionShowsNothingOfTheSecret() {
        var generator = generator
        let token = RoomToken(using: &generator)
        #expect("\(token)" == "token of 18 bytes")
    }

    @Test func onlyTheCanonicalTextOfATokenIsRead() {
        #expect(RoomToken("AAECAwQFBgcICQoLDA0ODw") != nil)
        #expect(RoomToken("AAECAwQFBgcICQoLDA0ODx") == nil, "unused bits are set")
        #expect(RoomToken("AAECAwQFBgcICQoLDA0OD") == nil, "15 bytes and a half")
        #expect(RoomToken("AAECAwQFBgcICQoLDA0O") == nil, "15 bytes")
        #expect(RoomToken("AAECAwQFBgcICQoLDA0ODw==") == nil)
        #expect(RoomToken("AAECAwQFBgcICQoLDA0OD+") == nil)
        #expect(RoomToken(String(repeating: "A", count: 132)) == nil)
    }

    @Test(arguments: 0..<40)
    func base64IsReadBackAtEveryLength(count: Int) {
        var generator = SplitMix64(seed: UInt64(count))
        let bytes = randomBytes(count, using: &generator)
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test func theDigestsAreThoseOfTheStandards() {
        let empty = CertificateFingerprint(ofCertificate: [])
        #expect(empty.description.hasPrefix("E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24"))
        #expect(CertificateFingerprint(hexadecimal: empty.description.lowercased()) == empty)
        #expect(CertificateFingerprint(hexadecimal: empty.description.dropLast()) == nil)
        #expect(CertificateFingerprint(hexadecimal: "+1" + empty.description.dropFirst(2)) == nil)
        // RFC 4231, test case 2.
        let message = [UInt8]("what do ya want for nothing?".utf8)
        let code = SHA256.authenticationCode(of: message, key: [UInt8]("Jefe".utf8))
        #expect(code.prefix(4) == [0x5B, 0xDC, 0xC1, 0x46] && code.suffix(4) == [0x64, 0xEC, 0x38, 0x43])
    }

    @Test func equalityLooksAtEveryByte() {
        #expect(equalInConstantTime([1, 2, 3], [1, 2, 3]) && equalInConstantTime([], []))
        #expect(!equalInConstantTime([1, 2, 3], [0, 2, 3]) && !equalInConstantTime([1, 2, 3], [1, 2, 2]))
        #expect(!equalInConstantTime([1, 2, 3], [1, 2]))
    }
}

@Suite struct RoomTokenSignerTests {
    private let room: RoomName
    private let signer: RoomTokenSigner
    private let generator = SplitMix64(seed: 9)

    init() throws {
        room = try RoomName("standup")
        signer = try #require(RoomTokenSigner(key: [UInt8](repeating: 7, count: 32)))
    }

    @Test(arguments: RoomRole.allCases, [false, true])
    func aSignedTokenGrantsWhatItSays(role: RoomRole, isSingleUse: Bool) throws {
        for expiry in [nil, 1, UInt64.max] {
            let grant = RoomTokenSigner.Grant(role: role, isSingleUse: isSingleUse, expiry: expiry, nonce: .max)
            let carried = try #require(RoomToken(signer.token(granting: grant, to: room).text))
            #expect(signer.verify(carried, for: room) == grant)
        }
    }

    @Test func theSameGrantIsTheSameTokenAndAnotherNonceAnother() {
        let token = signer.token(granting: .init(role: .guest, nonce: 1), to: room)
        #expect(token == signer.token(granting: .init(role: .guest, nonce: 1), to: room))
        #expect(token != signer.token(granting: .init(role: .guest, nonce: 2), to: room))
    }

    @Test func aTokenOfAnotherRoomOrKeyOpensNothing() throws {
        var generator = generator
        let token = signer.token(granting: .init(role: .host, nonce: 1), to: room)
        let other = RoomTokenSigner(using: &generator)
        #expect(other.verify(token, for: room) == nil)
        #expect(try signer.verify(token, for: RoomName("standup2")) == nil)
        #expect(signer.verify(RoomToken(using: &generator), for: room) == nil)
        #expect(RoomTokenSigner(key: [1, 2, 3]) == nil)
        #expect(RoomTokenSigner(key: other.key) != nil)
    }

    @Test func noChangedBitOpensTheRoom() throws {
        let token = signer.token(granting: .init(role: .guest, expiry: 1000, nonce: 1), to: room)
        for bit in 0..<token.bytes.count * 8 {
            var bytes = token.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let changed = try #require(RoomToken(bytes: bytes))
            #expect(signer.verify(changed, for: room) == nil)
        }
    }

    @Test func noMutationOpensTheRoom() throws {
        var generator = generator
        let token = signer.token(granting: .init(role: .guest, nonce: 1), to: room)
        for _ in 0..<20_000 {
            var bytes = token.bytes
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<16, using: &generator)) }
            guard let changed = RoomToken(bytes: bytes), changed != token else { continue }
            #expect(signer.verify(changed, for: room) == nil)
        }
    }
}
