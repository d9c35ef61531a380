import KeyFiles
package import Primitives
import Terminal

/// What `hoot theme` says about themes.
package enum ThemeReport {
    /// One line for each theme: `*` where it is the one in `hoot.conf`, its name, what it is for, who made it. One that
    /// `hoot.conf` names and that is not there has a line too.
    package static func list(_ directories: Directories) -> [String] {
        let used = ConsoleSettings(directories).theme
        let themes = Theme.names(directory: directories.themesPath)
            .map { Theme.load(name: $0, directory: directories.themesPath).theme }
        let width = themes.map { DisplayWidth.of($0.name) }.max() ?? 0
        let missing = themes.contains { $0.name == used } ? [] : ["* \(used)  is not there: dark is shown instead"]
        return missing
            + themes.map { theme in
                let kind = DisplayWidth.fit(theme.background == .any ? "no colours" : theme.background.rawValue, 10)
                let name = DisplayWidth.fit(theme.name, width)
                return "\(theme.name == used ? "*" : " ") \(name)  \(kind)  \(theme.author ?? "")"
            }
    }

    /// What is wrong with a theme's file, and what makes it hard to read.
    package struct Finding: Hashable, Sendable {
        package var text: String
        /// Whether something was passed over; else the theme works as it says.
        package var isFault: Bool
    }

    /// Reads the file at `path` as the console would.
    package static func check(path: String) throws(UserFacingError) -> [Finding] {
        guard path.hasSuffix(".theme"), let name = path.dropLast(6).split(separator: "/").last else {
            throw UserFacingError(
                "cannot check \(path)", why: "it is no theme's file", remedy: "name it NAME.theme")
        }
        do throws(RegularFileError) {
            _ = try RegularFile.read(path, limit: 1)
        } catch {
            throw UserFacingError("cannot read \(path)", why: error.description)
        }
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[..<$0]) } ?? "."
        let loaded = Theme.load(name: String(name), directory: directory, knownScopes: Scope.names)
        return loaded.warnings.map { Finding(text: $0.description, isFault: true) } + remarks(loaded.theme)
    }

    private static func remarks(_ theme: Theme) -> [Finding] {
        let depths: [(ColorDepth, String)] = [
            (.direct, "24-bit"), (.palette256, "256"), (.sixteen, "16"), (.eight, "8"),
        ]
        var texts: [String] = []
        var names: [String: [String]] = [:]
        for (depth, name) in depths {
            let found =
                Contrast.problems(of: theme, depth: depth).map(\.description)
                + ColorVision.confusions(of: theme, scales: Scope.scales, depth: depth).map(\.description)
            for text in found {
                if names[text] == nil { texts.append(text) }
                names[text, default: []].append(name)
            }
        }
        return texts.map { text in
            Finding(text: "with \(names[text, default: []].joined(separator: ", ")) colours: \(text)", isFault: false)
        }
    }
}
