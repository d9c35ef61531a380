import Foundation
import Primitives
import Testing

@testable import Signaling

@Suite struct InviteBookTests {
    private let ann = MemberID("ann")
    private let bob = MemberID("bob")

    private func book(_ record: InviteBook.Record = .init()) throws -> InviteBook {
        let signer = try #require(RoomTokenSigner(key: [UInt8](repeating: 1, count: 32)))
        return InviteBook(room: try RoomName("standup"), signer: signer, record: record, nonces: SplitMix64(seed: 1))
    }

    @Test func anInviteForAnybodyLetsEverybodyIn() throws {
        var book = try book()
        let invite = try book.issue(.listener, at: 0)
        let token = book.token(of: invite).text
        for person in [ann, bob] {
            #expect(book.decide(token, for: person, at: 1e9) == .success(invite))
            let changed = book.noteUse(of: invite.number, by: person, called: "somebody")
            #expect(!changed)
        }
    }

    @Test func anInviteForOneBelongsToWhoTakesASeatByIt() throws {
        var book = try book()
        let invite = try book.issue(.guest, isSingleUse: true, at: 0)
        let token = book.token(of: invite).text
        #expect(book.decide(token, for: bob, at: 0) == .success(invite), "looking does not use it")
        let (first, second) = (
            book.noteUse(of: invite.number, by: ann, called: "somebody"),
            book.noteUse(of: invite.number, by: bob, called: "somebody")
        )
        #expect(first && !second)
        #expect(book.decide(token, for: bob, at: 0) == .failure(.used))
        #expect((try? book.decide(token, for: ann, at: 0)?.get().usedBy) == ann)
    }

    @Test func anInviteEndsAtItsExpiryToTheSecond() throws {
        var book = try book()
        let invite = try book.issue(.guest, expiry: 1000, at: 0)
        let token = book.token(of: invite).text
        #expect(book.decide(token, for: ann, at: 999.9) == .success(invite))
        #expect(book.decide(token, for: ann, at: 1000) == .failure(.expired))
        book = try self.book()
        #expect(book.decide(token, for: ann, at: 1000) == .failure(.expired), "also when it is in no book any more")
    }

    @Test func whatIsStruckOutIsRevokedHoweverGenuine() throws {
        var book = try book()
        let (first, second) = (try book.issue(.guest, at: 0), try book.issue(.guest, at: 0))
        let struck = book.revoke(first.number)
        let again = book.revoke(first.number)
        #expect(struck && !again)
        #expect(book.decide(book.token(of: first).text, for: ann, at: 0) == .failure(.revoked))
        #expect(book.decide(book.token(of: second).text, for: ann, at: 0) == .success(second))
        let third = try book.issue(.guest, at: 0)
        #expect(third.number == 3, "a number is never used again")
    }

    @Test func whoIsBarredIsBarredAloneAndFromOneInvite() throws {
        var book = try book()
        let (first, second) = (try book.issue(.guest, at: 0), try book.issue(.guest, at: 0))
        book.admit(ann)
        book.bar(ann, from: first.number)
        #expect(book.decide(book.token(of: first).text, for: ann, at: 0) == .failure(.removed))
        #expect((try? book.decide(book.token(of: first).text, for: bob, at: 0)?.get()) != nil)
        #expect(book.decide(book.token(of: second).text, for: ann, at: 0) == .success(second))
        #expect(book.record.admitted.isEmpty)
    }

    @Test(arguments: ["", "x", "AAECAwQFBgcICQoLDA0ODw", String(repeating: "A", count: 48)])
    func aTokenThatIsNotGenuineIsToldNothing(_ text: String) throws {
        #expect(try book().decide(text, for: ann, at: 0) == nil)
    }

    @Test func theRecordComesBackFromItsFileAsItWas() throws {
        var book = try book()
        let link = try book.ownLink(at: 0)
        let single = try book.issue(.host, isSingleUse: true, expiry: .max, at: 0)
        _ = book.noteUse(of: single.number, by: ann, called: "somebody")
        book.bar(bob, from: single.number)
        book.admit(ann)
        let data = try JSONEncoder().encode(book.record)
        let record = try JSONDecoder().decode(InviteBook.Record.self, from: data)
        #expect(record == book.record)
        var again = try self.book(record)
        let sameLink = try again.ownLink(at: 0)
        #expect(sameLink == link)
        #expect(again.decide(book.token(of: single).text, for: bob, at: 0) == .failure(.removed))
        #expect(again.decide(book.token(of: single).text, for: MemberID("chi"), at: 0) == .failure(.used))
    }

    @Test func aLinkThatIsRevokedGivesWayToAnother() throws {
        var book = try book()
        let link = try book.ownLink(at: 0)
        let number = try #require(book.record.ownLink)
        _ = book.revoke(number)
        let next = try book.ownLink(at: 0)
        #expect(next != link)
        #expect(book.decide(link.text, for: ann, at: 0) == .failure(.revoked))
    }

    @Test func theBookIsBoundedAndWhatExpiredMakesRoom() throws {
        var book = try book()
        for number in 0..<InviteBook.inviteLimit { _ = try book.issue(.guest, expiry: UInt64(100 + number), at: 0) }
        #expect(throws: InviteLimitError.self) { _ = try book.issue(.guest, at: 0) }
        let next = try book.issue(.guest, at: 100)
        #expect(next.number == 257)
        for number in 0..<1000 {
            book.admit(MemberID("p\(number)"))
            book.bar(MemberID("q\(number)"), from: 257)
        }
        #expect(book.record.admitted.count == 256 && book.record.admitted.last == MemberID("p999"))
        #expect(book[257]?.barred.count == 256)
    }
}
