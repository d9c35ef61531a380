import ControlProtocol
import KeyFiles
import Primitives

/// The files that the core reads: `hoot.conf` and `people.conf`.
extension Doctor {
    /// What is wrong with them, line by line.
    func configuration() -> [Finding] {
        let (settings, people) = (directories.settingsPath, directories.peoplePath)
        let fine = Finding(subject: "hoot.conf", isFine: true, text: "nothing is passed over in \(settings)")
        let faults = faults(of: "hoot.conf", at: settings) { Settings.read($0).warnings }
        return (faults.isEmpty ? [fine] : faults)
            + self.faults(of: "people.conf", at: people) { VerifiedPeopleStore.read($0).warnings }
    }

    private func faults(
        of subject: String, at path: String, _ warnings: (borrowing KeyFile) -> [KeyFileWarning]
    ) -> [Finding] {
        do throws(UserFacingError) {
            return warnings(try KeyFile.load(path: path)).map {
                Finding(wrong: subject, $0.description, command: $0.mendingCommand(path: path))
            }
        } catch {
            return [Finding(wrong: subject, error.description, command: "ls -l \(path)")]
        }
    }
}
