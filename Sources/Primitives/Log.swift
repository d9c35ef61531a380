import Glibc
import Synchronization

/// The program's log: one line an entry, to standard error until a file is set.
///
/// Safe from any thread except the audio thread, which counts instead of logging. Machines do not log.
package enum Log {
    package enum Level: String, Sendable {
        case debug
        case info
        case warning
        case error
    }

    private struct Sink: Sendable {
        var descriptor: Int32 = 2
        var path: String?
        var byteLimit = 512 * 1024
        var written = 0
        var showsDebug = false
    }

    private static let sink = Mutex(Sink())

    /// Sends entries to the file at `path` from now on, appending; when it passes `byteLimit` bytes it becomes
    /// `path.1`, replacing the one before. Returns `false` with `errno` set when it cannot be opened.
    @discardableResult
    package static func open(path: String, byteLimit: Int = 512 * 1024) -> Bool {
        sink.withLock { sink in
            sink.path = path
            sink.byteLimit = max(byteLimit, 4096)
            return reopen(&sink)
        }
    }

    /// Whether `debug` entries are written.
    package static func setShowsDebug(_ shows: Bool) {
        sink.withLock { $0.showsDebug = shows }
    }

    package static func debug(_ category: StaticString, _ message: @autoclosure () -> String) {
        guard sink.withLock({ $0.showsDebug }) else { return }
        write(.debug, category, message())
    }

    package static func info(_ category: StaticString, _ message: @autoclosure () -> String) {
        write(.info, category, message())
    }

    package static func warning(_ category: StaticString, _ message: @autoclosure () -> String) {
        write(.warning, category, message())
    }

    package static func error(_ category: StaticString, _ message: @autoclosure () -> String) {
        write(.error, category, message())
    }

    /// Writes one entry. `message` is kept to one line: control characters become spaces.
    package static func write(_ level: Level, _ category: StaticString, _ message: String) {
        let clean = String(String.UnicodeScalarView(message.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
        let line = "\(timestamp()) \(level.rawValue) \(category): \(clean)\n"
        sink.withLock { sink in
            if sink.path != nil, sink.written + line.utf8.count > sink.byteLimit {
                rotate(&sink)
            }
            let bytes = [UInt8](line.utf8)
            _ = Glibc.write(sink.descriptor, bytes, bytes.count)
            // Libraries write to the same file by standard error: its end counts, not what was written here.
            if sink.path != nil { sink.written = Int(lseek(sink.descriptor, 0, SEEK_CUR)) }
        }
    }

    private static func rotate(_ sink: inout Sink) {
        guard let path = sink.path else { return }
        rename(path, path + ".1")
        _ = reopen(&sink)
    }

    private static func reopen(_ sink: inout Sink) -> Bool {
        guard let path = sink.path else { return false }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        if sink.descriptor > 2 {
            // Standard error that went to the old file goes with it to the new one.
            if isSameFile(2, sink.descriptor) { dup2(descriptor, 2) }
            close(sink.descriptor)
        }
        sink.descriptor = descriptor
        sink.written = Int(lseek(descriptor, 0, SEEK_END))
        return true
    }

    private static func isSameFile(_ first: Int32, _ second: Int32) -> Bool {
        var (one, other) = (stat(), stat())
        guard fstat(first, &one) == 0, fstat(second, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    private static func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var fields = tm()
        localtime_r(&now.tv_sec, &fields)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &fields)
        let milliseconds = String(now.tv_nsec / 1_000_000 + 1000).dropFirst()
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) + "." + milliseconds
    }
}
