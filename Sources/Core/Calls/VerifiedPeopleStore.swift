import KeyFiles
import Primitives
import Reactor
import Signaling

/// `people.conf`: the people whose authentication strings were compared, by their certificates' fingerprints.
@EngineActor
final class VerifiedPeopleStore {
    private(set) var people: VerifiedPeople
    private var file: KeyFile
    private let path: String
    /// Why the file could not be read: saving would lose what is in it.
    private let readFailure: UserFacingError?

    private static let group = "verified"

    /// Reads the file; entries that cannot be understood are passed over and kept. A file that cannot be read is left
    /// alone: nobody counts as verified, and marks are refused with the reason.
    init(path: String) {
        self.path = path
        readFailure = Self.readFailure(of: path)
        file = (try? KeyFile.load(path: path)) ?? KeyFile(text: "", name: path)
        var found: [VerifiedPerson] = []
        for key in file.keys(in: Self.group) {
            guard let fingerprint = CertificateFingerprint(linkText: key),
                let name = try? file.string(key, in: Self.group)
            else {
                Log.warning("people", "\(path): \(key) is no fingerprint; it is ignored")
                continue
            }
            found.append(VerifiedPerson(name: name, fingerprint: fingerprint))
        }
        people = VerifiedPeople(found)
    }

    private static func readFailure(of path: String) -> UserFacingError? {
        do throws(UserFacingError) {
            _ = try KeyFile.load(path: path)
            return nil
        } catch {
            Log.warning("people", error.description)
            return error
        }
    }

    /// Marks a person, or takes the mark away, and saves.
    func setVerified(_ isVerified: Bool, _ person: VerifiedPerson) throws(UserFacingError) {
        if let readFailure { throw readFailure }
        var changed = people
        _ = isVerified ? changed.verify(person) : changed.forget(person.fingerprint)
        if isVerified {
            try file.set(person.name, for: person.fingerprint.linkText, in: Self.group)
        } else {
            file.remove(person.fingerprint.linkText, in: Self.group)
        }
        try file.save(to: path)
        people = changed
    }
}
