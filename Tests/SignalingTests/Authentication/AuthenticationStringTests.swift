import Primitives
import Testing

@testable import Signaling

/// One side of the protocol, with what it has been told.
private struct Person {
    let party: AuthenticationString.Party
    var machine: AuthenticationString
    var sent: [PeerMessage] = []
    var shown: [AuthenticationCode] = []
    var refused: [AuthenticationError] = []

    init(
        _ name: String, peer: String, seed: UInt64, room: String = "standup", certificate: String? = nil
    ) throws {
        var generator = SplitMix64(seed: seed)
        party = .init(id: MemberID(name), fingerprint: Self.fingerprint(of: certificate ?? name))
        machine = AuthenticationString(
            room: try RoomName(room), own: party, peer: MemberID(peer), using: &generator)
    }

    static func fingerprint(of name: String) -> CertificateFingerprint {
        CertificateFingerprint(ofCertificate: [UInt8](name.utf8))
    }

    mutating func run(_ event: (inout AuthenticationString) -> [AuthenticationAction]) {
        for action in event(&machine) {
            switch action {
            case .send(let message): sent.append(message)
            case .show(let code): shown.append(code)
            case .refuse(let error): refused.append(error)
            }
        }
    }

    mutating func receive(_ message: PeerMessage) {
        run { machine in
            switch message {
            case .commitment(let commitment): machine.receive(commitment)
            case .reveal(let reveal): machine.receive(reveal)
            default: []
            }
        }
    }

    var commitment: PeerCommitment? {
        for case .commitment(let commitment) in sent { return commitment }
        return nil
    }

    var reveal: PeerReveal? {
        for case .reveal(let reveal) in sent { return reveal }
        return nil
    }
}

@Suite struct AuthenticationStringTests {
    /// Delivers what both say until both are silent, in an order drawn from `seed`.
    private func exchange(_ left: inout Person, _ right: inout Person, seed: UInt64 = 1) {
        var generator = SplitMix64(seed: seed)
        var (fromLeft, fromRight) = (0, 0)
        while fromLeft < left.sent.count || fromRight < right.sent.count {
            let leftCan = fromLeft < left.sent.count
            if fromRight == right.sent.count || leftCan && Bool.random(using: &generator) {
                right.receive(left.sent[fromLeft])
                fromLeft += 1
            } else {
                left.receive(right.sent[fromRight])
                fromRight += 1
            }
        }
    }

    /// Both have sent their commitments.
    private func started(seed: UInt64) throws -> (Person, Person) {
        var alice = try Person("alice", peer: "bob", seed: seed &* 2)
        var bob = try Person("bob", peer: "alice", seed: seed &* 2 &+ 1)
        alice.run { $0.start() }
        bob.run { $0.start() }
        return (alice, bob)
    }

    /// The same, over media that come from both.
    private func pair(seed: UInt64 = 1) throws -> (Person, Person) {
        var (alice, bob) = try started(seed: seed)
        alice.run { $0.proved(bob.party.fingerprint) }
        bob.run { $0.proved(alice.party.fingerprint) }
        return (alice, bob)
    }

    @Test(arguments: 0..<50)
    func bothSeeTheSameCodeInEveryOrder(seed: UInt64) throws {
        var (alice, bob) = try pair(seed: seed)
        exchange(&alice, &bob, seed: seed)
        #expect(alice.shown.count == 1 && alice.shown == bob.shown)
        #expect(alice.machine.code == alice.shown[0] && alice.shown[0].words.count == 4)
        #expect(alice.sent.count == 2 && bob.sent.count == 2)
    }

    @Test func oneMayStartAndTheOtherFollows() throws {
        var alice = try Person("alice", peer: "bob", seed: 1)
        var bob = try Person("bob", peer: "alice", seed: 2)
        alice.run { $0.start() }
        exchange(&alice, &bob)
        #expect(alice.shown.isEmpty && alice.machine.code == nil, "the media's certificate is not proven yet")
        alice.run { $0.proved(bob.party.fingerprint) }
        bob.run { $0.proved(alice.party.fingerprint) }
        #expect(alice.shown.count == 1 && alice.shown == bob.shown)
        bob.run { $0.start() }
        #expect(bob.sent.count == 2)
    }

    @Test func everyCallAndEveryRoomHasItsOwnCode() throws {
        let codes = try (UInt64(0)..<50).map { seed in
            var (alice, bob) = try pair(seed: seed)
            exchange(&alice, &bob)
            return alice.shown
        }
        #expect(Set(codes).count == 50)
    }

    @Test func nothingIsRevealedBeforeThePeerHasCommitted() throws {
        var (alice, bob) = try pair()
        #expect(alice.reveal == nil)
        alice.receive(.reveal(PeerReveal(fingerprint: "sha-256 \(bob.party.fingerprint)", nonce: "00")))
        #expect(alice.reveal == nil && alice.machine.ignoredCount == 1 && alice.refused.isEmpty)
        alice.receive(.commitment(try #require(bob.commitment)))
        #expect(alice.reveal != nil)
        exchange(&alice, &bob)
        #expect(alice.shown == bob.shown)
    }

    @Test func lostMessagesAreSaidAgain() throws {
        var (alice, bob) = try pair()
        let lost = alice.sent.count
        bob.run { $0.signalingRestored() }
        alice.run { $0.signalingRestored() }
        for message in bob.sent { alice.receive(message) }
        for message in alice.sent.dropFirst(lost) { bob.receive(message) }
        for message in bob.sent.dropFirst(2) { alice.receive(message) }
        for message in alice.sent { bob.receive(message) }
        #expect(alice.shown.count == 1 && alice.shown == bob.shown && alice.refused.isEmpty && bob.refused.isEmpty)
        alice.run { $0.signalingRestored() }
        for message in alice.sent { bob.receive(message) }
        #expect(bob.refused.isEmpty && bob.shown.count == 1, "what is said again changes nothing")
    }

    @Test func aRevealThatDoesNotMatchTheCommitmentIsRefusedForGood() throws {
        let attacks: [(PeerReveal) -> PeerReveal] = [
            { PeerReveal(fingerprint: "sha-256 \(Person.fingerprint(of: "mallory"))", nonce: $0.nonce) },
            { PeerReveal(fingerprint: $0.fingerprint, nonce: String($0.nonce.reversed())) },
        ]
        for attack in attacks {
            var (alice, bob) = try pair()
            alice.receive(.commitment(try #require(bob.commitment)))
            bob.receive(.commitment(try #require(alice.commitment)))
            let reveal = try #require(bob.reveal)
            alice.receive(.reveal(attack(reveal)))
            #expect(alice.refused == [.revealDoesNotMatch] && alice.shown.isEmpty)
            alice.receive(.reveal(reveal))
            alice.run { $0.signalingRestored() }
            #expect(alice.shown.isEmpty && alice.machine.code == nil && alice.refused.count == 1)
        }
    }

    @Test func anotherCommitmentIsRefused() throws {
        var (alice, bob) = try pair()
        alice.receive(.commitment(try #require(bob.commitment)))
        alice.receive(.commitment(try #require(bob.commitment)))
        #expect(alice.refused.isEmpty)
        alice.receive(.commitment(PeerCommitment(hash: String(repeating: "00", count: 32))))
        #expect(alice.refused == [.commitmentChanged])
    }

    @Test func mediaFromAnotherCertificateAreRefused() throws {
        var (alice, bob) = try pair()
        exchange(&alice, &bob)
        alice.run { $0.proved(Person.fingerprint(of: "mallory")) }
        #expect(alice.refused == [.certificateDiffers] && alice.machine.code == nil)
    }

    @Test func onesOwnMessagesCannotBePlayedBack() throws {
        var (alice, _) = try pair()
        alice.receive(.commitment(try #require(alice.commitment)))
        alice.receive(.reveal(try #require(alice.reveal)))
        #expect(alice.refused == [.revealDoesNotMatch])
    }

    @Test func messagesOfAnotherRoomAreNotTaken() throws {
        var (alice, _) = try pair()
        var bob = try Person("bob", peer: "alice", seed: 3, room: "elsewhere")
        bob.run { $0.start() }
        exchange(&alice, &bob)
        #expect(alice.refused == [.revealDoesNotMatch] && bob.refused == [.revealDoesNotMatch])
    }

    /// Mallory stands between Alice and Bob. She completes the protocol with Alice, so that she knows Alice's code, and
    /// then tries 2¹² nonces towards Bob to make Bob's code begin with the same word.
    @Test func whoStandsInTheMiddleCannotChooseTheCode() throws {
        let (sessionCount, tryCount) = (32, 128)
        var generator = SplitMix64(seed: 99)
        var wouldMatch = 0
        var matched = 0
        for seed in 0..<sessionCount {
            var (alice, bob) = try started(seed: UInt64(seed))
            var toAlice = try mallory(as: "bob", to: "alice", seed: generator.next())
            alice.run { $0.proved(toAlice.party.fingerprint) }
            exchange(&alice, &toAlice)
            let wanted = try #require(alice.shown.first).words[0]

            let choices = try (0..<tryCount).map { _ in try mallory(as: "alice", to: "bob", seed: generator.next()) }
            #expect(bob.reveal == nil, "Bob has revealed nothing that she could search with")
            bob.receive(.commitment(try #require(choices[0].commitment)))
            bob.run { $0.proved(choices[0].party.fingerprint) }
            let revealed = try #require(bob.reveal)
            for choice in choices.dropFirst() {
                if try code(of: choice, with: bob, revealed: revealed).words[0] == wanted { wouldMatch += 1 }
                var victim = bob
                victim.receive(.reveal(try reveal(of: choice)))
                #expect(victim.refused == [.revealDoesNotMatch], "what she likes better now comes too late")
            }
            bob.receive(.reveal(try reveal(of: choices[0])))
            if try #require(bob.shown.first).words[0] == wanted { matched += 1 }
        }
        #expect(wouldMatch > 4, "could she choose after the reveal, she would find a word that fits")
        #expect(matched <= 1, "but she cannot")
    }

    private func mallory(as name: String, to victim: String, seed: UInt64) throws -> Person {
        var person = try Person(name, peer: victim, seed: seed, certificate: "mallory")
        person.run { $0.start() }
        return person
    }

    /// What `person` would reveal.
    private func reveal(of person: Person) throws -> PeerReveal {
        var person = person
        person.receive(.commitment(PeerCommitment(hash: String(repeating: "00", count: 32))))
        return try #require(person.reveal)
    }

    /// The code that would come of `choice` if it were not for the commitment.
    private func code(of choice: Person, with victim: Person, revealed: PeerReveal) throws -> AuthenticationCode {
        var choice = choice
        choice.receive(.commitment(try #require(victim.commitment)))
        choice.receive(.reveal(revealed))
        choice.run { $0.proved(victim.party.fingerprint) }
        #expect(choice.refused.isEmpty)
        return try #require(choice.machine.code)
    }

    @Test func malformedMessagesAreRefused() throws {
        for hash in ["", "00", "zz", String(repeating: "0", count: 63), String(repeating: "+1", count: 32)] {
            var (alice, _) = try pair()
            alice.receive(.commitment(PeerCommitment(hash: hash)))
            #expect(alice.refused == [.malformed(field: "commitment")] && alice.reveal == nil)
        }
        var (_, bob) = try pair()
        let good = try reveal(of: bob)
        for (fingerprint, nonce, field) in [
            ("sha-1 00", good.nonce, "fingerprint"), ("sha-256", good.nonce, "fingerprint"),
            (good.fingerprint + ":00", good.nonce, "fingerprint"), (good.fingerprint, "00", "nonce"),
            (good.fingerprint, good.nonce + "0", "nonce"),
        ] {
            var (alice, _) = try pair()
            alice.receive(.commitment(try #require(bob.commitment)))
            alice.receive(.reveal(PeerReveal(fingerprint: fingerprint, nonce: nonce)))
            #expect(alice.refused == [.malformed(field: field)])
        }
        bob.run { $0.start() }
        #expect(bob.sent.count == 1)
    }

    @Test func noMutationOfARevealIsShown() throws {
        var generator = SplitMix64(seed: 4)
        let (original, bob) = try pair()
        var committed = original
        committed.receive(.commitment(try #require(bob.commitment)))
        let good = try reveal(of: bob)
        for _ in 0..<20_000 {
            var bytes = [UInt8]((good.fingerprint + "|" + good.nonce).utf8)
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 32...126, using: &generator)
            }
            let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let reveal = PeerReveal(fingerprint: String(parts[0]), nonce: String(parts[1]))
            let isSame =
                reveal.fingerprint.lowercased() == good.fingerprint.lowercased()
                && reveal.nonce.lowercased() == good.nonce
            var alice = committed
            alice.receive(.reveal(reveal))
            #expect(alice.shown.isEmpty != isSame)
        }
    }
}

@Suite struct AuthenticationWordsTests {
    @Test func thereAre256WordsThatAreEasilyToldApart() {
        let words = AuthenticationWords.all.map(String.init)
        #expect(words.count == 256 && Set(words.map { $0.prefix(3) }).count == 256)
        #expect(words == words.sorted() && words.allSatisfy { (4...8).contains($0.count) })
        #expect(words.allSatisfy { $0.allSatisfy { ("a"..."z").contains($0) } })
        for (index, word) in words.enumerated() {
            for other in words[..<index] where abs(word.count - other.count) < 3 {
                #expect(distance([UInt8](word.utf8), [UInt8](other.utf8)) >= 3, "\(word) \(other)")
            }
        }
    }

    @Test func aCodeSaysAll32Bits() {
        let all = AuthenticationWords.all
        #expect(AuthenticationCode(value: 0).words == Array(repeating: String(all[0]), count: 4))
        #expect(AuthenticationCode(value: 0x0001_02FF).description == "\(all[0]) \(all[1]) \(all[2]) \(all[255])")
        #expect(AuthenticationCode.bitCount == 32)
    }

    /// How many letters must be changed, left out or put in to get from one word to the other.
    private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (number, letter) in left.enumerated() {
            var previous = row[0]
            row[0] = number + 1
            for column in right.indices {
                let changed = previous + (letter == right[column] ? 0 : 1)
                previous = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
