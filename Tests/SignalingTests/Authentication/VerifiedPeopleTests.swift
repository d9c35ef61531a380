import Testing

@testable import Signaling

@Suite struct VerifiedPeopleTests {
    private func fingerprint(_ name: String) -> CertificateFingerprint {
        CertificateFingerprint(ofCertificate: [UInt8](name.utf8))
    }

    @Test func aMarkHoldsAsLongAsTheFingerprint() {
        var people = VerifiedPeople()
        let bob = VerifiedPerson(name: "bob", fingerprint: fingerprint("bob's laptop"))
        #expect(people.mark(of: "bob", fingerprint: bob.fingerprint) == .unverified)
        #expect(people.verify(bob) == [.save([bob])])
        #expect(people.mark(of: "bob", fingerprint: bob.fingerprint) == .verified)
        #expect(people.mark(of: "robert", fingerprint: bob.fingerprint) == .verified, "a name may change")
        #expect(people.mark(of: "bob", fingerprint: fingerprint("new")) == .changed(from: bob.fingerprint))
        #expect(people.mark(of: "chi", fingerprint: fingerprint("chi")) == .unverified)
    }

    @Test func twiceVerifiedIsOnceSaved() {
        var people = VerifiedPeople()
        let bob = VerifiedPerson(name: "bob", fingerprint: fingerprint("bob"))
        let renamed = VerifiedPerson(name: "robert", fingerprint: bob.fingerprint)
        _ = people.verify(bob)
        #expect(people.verify(bob).isEmpty)
        #expect(people.verify(renamed) == [.save([renamed])])
    }

    @Test func aForgottenMarkIsGone() {
        let bob = VerifiedPerson(name: "bob", fingerprint: fingerprint("bob"))
        var people = VerifiedPeople([bob])
        #expect(people.forget(fingerprint("chi")).isEmpty)
        #expect(people.forget(bob.fingerprint) == [.save([])])
        #expect(people.mark(of: "bob", fingerprint: bob.fingerprint) == .unverified)
    }

    @Test func theListIsBoundedAndTheOldestGiveWay() {
        var people = VerifiedPeople()
        for number in 0...VerifiedPeople.maximumCount {
            _ = people.verify(VerifiedPerson(name: "\(number)", fingerprint: fingerprint("\(number)")))
        }
        #expect(people.people.count == VerifiedPeople.maximumCount && people.people.first?.name == "1")
        #expect(VerifiedPeople(people.people) == people)
    }
}
