import Glibc
import KeyFiles
import Primitives

/// Reads theme files and those that they inherit from.
struct ThemeLoader {
    let directory: String?
    let knownScopes: Set<String>?

    private var warnings: [KeyFileWarning] = []
    private var palette: [String: Color] = [:]
    /// Styles as text until the whole palette is known: an heir's palette recolours what it inherits.
    private var entries: [String: Entry] = [:]
    private var background: Theme.Background?
    private var author: String?

    private struct Entry {
        var text: String
        var file: String
        var line: Int?
    }

    init(directory: String?, knownScopes: Set<String>?) {
        self.directory = directory
        self.knownScopes = knownScopes
    }

    consuming func load(_ name: String) -> Theme.Loaded {
        var loader = self
        if !loader.read(name, heirs: []) {
            let message = "no theme of that name; the dark theme is used"
            loader.warnings.append(KeyFileWarning(file: name, line: nil, message: message))
            _ = loader.read("dark", heirs: [])
        }
        let styles = loader.resolved()
        let theme = Theme(name: name, author: loader.author, background: loader.background ?? .dark, styles: styles)
        return Theme.Loaded(theme: theme, warnings: loader.warnings)
    }

    /// Takes in the theme `name` over what it inherits; `false` when there is none.
    private mutating func read(_ name: String, heirs: [String]) -> Bool {
        guard let file = open(name) else { return false }
        warnings += file.warnings
        inherit(from: file, heirs: heirs + [name])
        author = value("author", in: "theme", of: file) ?? author
        for key in file.keys(in: "palette") {
            take(palette: key, of: file)
        }
        for scope in file.keys(in: "style") {
            guard let text = value(scope, in: "style", of: file) else { continue }
            entries[scope] = Entry(text: text, file: file.name, line: file.line(of: scope, in: "style"))
            if let knownScopes, !knownScopes.contains(scope) {
                warn(file, scope, "style", "nothing has the scope \"\(scope)\"")
            }
        }
        do {
            background = try file.choice("background", in: "theme") ?? background
        } catch {
            warnings.append(KeyFileWarning(file: file.name, line: nil, message: "\(error.why); \(error.remedy)"))
        }
        for key in file.keys(in: "theme") where !["author", "background", "inherits"].contains(key) {
            warn(file, key, "theme", "\"\(key)\" means nothing in [theme]")
        }
        for group in file.groups where !["theme", "palette", "style"].contains(group) {
            warnings.append(KeyFileWarning(file: file.name, line: nil, message: "[\(group)] means nothing in a theme"))
        }
        return true
    }

    private mutating func inherit(from file: borrowing KeyFile, heirs: [String]) {
        guard let parent = value("inherits", in: "theme", of: file) else { return }
        if heirs.contains(parent) {
            warn(file, "inherits", "theme", "\"\(parent)\" inherits from itself")
        } else if heirs.count > 8 || !read(parent, heirs: heirs) {
            warn(file, "inherits", "theme", "there is no theme \"\(parent)\"")
        }
    }

    private mutating func take(palette key: String, of file: borrowing KeyFile) {
        guard let text = value(key, in: "palette", of: file) else { return }
        if let color = palette[text] ?? Color(grades: text) {
            palette[key] = color
        } else {
            warn(file, key, "palette", "\"\(text)\" is no colour")
        }
    }

    private mutating func resolved() -> [String: Style] {
        let reader = StyleText(palette: palette)
        var styles: [String: Style] = [:]
        for (scope, entry) in entries.sorted(by: { $0.key < $1.key }) {
            do {
                styles[scope] = try reader.style(entry.text)
            } catch {
                warnings.append(KeyFileWarning(file: entry.file, line: entry.line, message: "\(scope): \(error)"))
            }
        }
        return styles
    }

    private mutating func value(_ key: String, in group: String, of file: borrowing KeyFile) -> String? {
        do {
            return try file.string(key, in: group)
        } catch {
            warn(file, key, group, error.why)
            return nil
        }
    }

    private mutating func warn(_ file: borrowing KeyFile, _ key: String, _ group: String, _ message: String) {
        warnings.append(KeyFileWarning(file: file.name, line: file.line(of: key, in: group), message: message))
    }

    /// The user's file of that name, else the embedded one.
    private mutating func open(_ name: String) -> KeyFile? {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
        if let directory {
            do {
                let file = try KeyFile.load(path: "\(directory)/\(name).theme")
                if !file.groups.isEmpty || !file.warnings.isEmpty { return file }
            } catch {
                warnings.append(KeyFileWarning(file: "\(name).theme", line: nil, message: "\(error)"))
            }
        }
        return EmbeddedThemes.bytes(of: name).map { KeyFile(bytes: $0, name: "\(name).theme") }
    }

    /// The names of the theme files in `directory`, sorted.
    static func names(in directory: String?) -> [String] {
        guard let directory, let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".theme"), !name.hasPrefix(".") { names.append(String(name.dropLast(6))) }
        }
        return names.sorted()
    }
}
