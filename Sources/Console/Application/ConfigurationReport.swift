package import ControlProtocol
import KeyFiles
package import Primitives
import Terminal

/// What `hoot doctor` says of the files that the console reads: `keys.conf` and the theme.
package enum ConfigurationReport {
    package static func findings(_ directories: Directories) -> [Finding] {
        keys(directories) + theme(directories)
    }

    private static func keys(_ directories: Directories) -> [Finding] {
        let (subject, path) = ("keys.conf", directories.keysPath)
        do throws(UserFacingError) {
            let warnings = try KeyMap.load(directories).warnings
            guard !warnings.isEmpty else {
                return [Finding(subject: subject, isFine: true, text: "every key does one thing at a time")]
            }
            return warnings.map { Finding(wrong: subject, $0.description, command: $0.mendingCommand(path: path)) }
        } catch {
            return [Finding(wrong: subject, error.description, command: "ls -l \(path)")]
        }
    }

    private static func theme(_ directories: Directories) -> [Finding] {
        let name = ConsoleSettings(directories).theme
        guard Theme.names(directory: directories.themesPath).contains(name) else {
            return [
                Finding(
                    subject: "theme", isFine: false, text: "\(name) is not there: dark is shown instead",
                    command: "hoot theme list")
            ]
        }
        let loaded = Theme.load(name: name, directory: directories.themesPath, knownScopes: Scope.names)
        guard !loaded.warnings.isEmpty else { return [Finding(subject: "theme", isFine: true, text: name)] }
        return loaded.warnings.map { warning in
            // A theme that comes with the program has a name alone, and no file to mend.
            let path = warning.file.hasPrefix("/") ? warning.file : "\(directories.themesPath)/\(warning.file)"
            return Finding(wrong: "theme", warning.description, command: warning.mendingCommand(path: path))
        }
    }
}
