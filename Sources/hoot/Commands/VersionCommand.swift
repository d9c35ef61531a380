import Core
import Primitives

/// `hoot --version`.
enum VersionCommand {
    static func run() -> Int32 {
        Output.line("hoot \(CoreVersion.current)")
        for library in LibraryVersion.core { Output.line("  \(library.name) \(library.version)") }
        return 0
    }
}
