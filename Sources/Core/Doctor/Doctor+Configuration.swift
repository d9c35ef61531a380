import ControlProtocol
import KeyFiles
import Primitives

/// The file of settings.
extension Doctor {
    /// What is wrong with `hoot.conf`, line by line.
    func settings() -> [Finding] {
        let (subject, path) = ("hoot.conf", directories.settingsPath)
        do throws(UserFacingError) {
            let file = try KeyFile.load(path: path)
            let warnings = Settings.read(file).warnings
            guard !warnings.isEmpty else {
                let isThere = !file.groups.isEmpty
                return [Finding(subject: subject, isFine: true, text: isThere ? path : "nothing is set in \(path)")]
            }
            return warnings.map { Finding(wrong: subject, $0.description, command: $0.mendingCommand(path: path)) }
        } catch {
            return [Finding(wrong: subject, error.description, command: "ls -l \(path)")]
        }
    }
}
