import Foundation
import Primitives
import Reactor
import Signaling
import TestSupport
import Testing

@testable import Core

@EngineActor @Suite struct VerifiedPeopleStoreTests {
    private func person(_ name: String) throws -> VerifiedPerson {
        let fingerprint = try #require(CertificateFingerprint(bytes: [UInt8](repeating: 7, count: 32)))
        return VerifiedPerson(name: name, fingerprint: fingerprint)
    }

    @Test func marksAreKeptAndTakenAway() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/people.conf"
        let chi = try person("chi")
        try VerifiedPeopleStore(path: path).setVerified(true, chi)
        let again = VerifiedPeopleStore(path: path)
        #expect(again.people.mark(of: "chi", fingerprint: chi.fingerprint) == .verified)
        try again.setVerified(false, chi)
        #expect(VerifiedPeopleStore(path: path).people.mark(of: "chi", fingerprint: chi.fingerprint) == .unverified)
    }

    @Test func aFileThatCannotBeReadIsLeftAlone() throws {
        let directory = try TemporaryDirectory()
        let store = VerifiedPeopleStore(path: directory.path)
        let chi = try person("chi")
        #expect(store.people.mark(of: "chi", fingerprint: chi.fingerprint) == .unverified)
        #expect(throws: UserFacingError.self) { try store.setVerified(true, chi) }
    }
}
