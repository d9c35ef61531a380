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

    private nonisolated static let group = "verified"

    /// Reads the file; entries that cannot be understood are passed over and kept. A file that cannot be read is left
    /// alone: nobody counts as verified, and marks are refused with the reason.
    init(path: String) {
        self.path = path
        readFailure = Self.readFailure(of: path)
        file = (try? KeyFile.load(path: path)) ?? KeyFile(text: "", name: path)
        let (found, warnings) = Self.read(file)
        people = VerifiedPeople(found)
        for warning in warnings { Log.warning("people", warning.description) }
    }

    /// Who is verified by a file, and what is passed over.
    nonisolated static func read(
        _ file: borrowing KeyFile
    ) -> (people: [VerifiedPerson], warnings: [KeyFileWarning]) {
        var people: [VerifiedPerson] = []
        var warnings = file.warnings
        for key in file.keys(in: group) {
            if let fingerprint = CertificateFingerprint(linkText: key), let name = try? file.string(key, in: group) {
                people.append(VerifiedPerson(name: name, fingerprint: fingerprint))
            } else {
                let message = "\(key) is no fingerprint with a name; it is ignored"
                warnings.append(KeyFileWarning(file: file.name, line: file.line(of: key, in: group), message: message))
            }
        }
        return (people, warnings)
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
