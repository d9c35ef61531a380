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

    private static let group = "verified"

    /// Reads the file; entries that cannot be understood are passed over and kept.
    init(path: String) throws(UserFacingError) {
        self.path = path
        file = try KeyFile.load(path: path)
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

    /// Marks a person, or takes the mark away, and saves.
    func setVerified(_ isVerified: Bool, _ person: VerifiedPerson) throws(UserFacingError) {
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
