import Glibc
import Primitives

/// The history of the command line in the state directory, for the user alone. That it cannot be read or written hinders
/// nobody, so nothing is said.
struct HistoryFile {
    let path: String

    init(_ directories: Directories) {
        path = directories.state + "/commands"
    }

    func lines() -> [String] {
        guard let bytes = try? RegularFile.read(path, limit: 1 << 20) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter(CommandHistory.isKept)
    }

    /// Adds a line to those that are there now: other consoles add theirs.
    func add(_ line: String) {
        var history = CommandHistory(lines())
        history.add(line)
        let bytes = Array((history.lines.joined(separator: "\n") + "\n").utf8)
        let fresh = path + ".\(getpid())"
        unlink(fresh)
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        let isWhole = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if !isWhole || rename(fresh, path) != 0 { unlink(fresh) }
    }
}
