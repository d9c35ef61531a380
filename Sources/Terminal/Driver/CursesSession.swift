import CNcurses
import Glibc
import Primitives

/// An ncurses screen whose output goes to a file in memory.
struct CursesSession: ~Copyable {
    /// The terminal type that is drawn for.
    let type: String

    private let screen: OpaquePointer
    private let output: UnsafeMutablePointer<FILE>
    private let input: UnsafeMutablePointer<FILE>

    /// Opens a screen for the first of the environment's terminal types that is known and can move its cursor.
    /// `newterm`, because `initscr` ends the process on an unknown type.
    static func open(_ environment: TerminalEnvironment) throws(UserFacingError) -> CursesSession {
        let memory = cncurses_memory_file()
        guard memory >= 0, let output = fdopen(memory, "w+"), let input = fopen("/dev/null", "r") else {
            throw UserFacingError("cannot open the screen", why: String(cString: strerror(errno)))
        }
        for type in environment.types {
            guard let screen = newterm(type, output, input) else { continue }
            if cncurses_moves_cursor() {
                return CursesSession(type: type, screen: screen, output: output, input: input)
            }
            endwin()
            delscreen(screen)
            // A type that is known and cannot draw is meant as said; guessing another one would fill it with rubbish.
            break
        }
        fclose(output)
        fclose(input)
        throw UserFacingError(
            "cannot draw on a terminal of type \"\(environment.term)\"", why: "it cannot move its cursor",
            remedy: "set TERM, or use hoot --plain")
    }

    private init(
        type: String, screen: OpaquePointer, output: UnsafeMutablePointer<FILE>, input: UnsafeMutablePointer<FILE>
    ) {
        self.type = type
        self.screen = screen
        self.output = output
        self.input = input
    }

    /// What ncurses has drawn since the last time.
    func takeOutput() -> [UInt8] {
        fflush(output)
        let memory = fileno(output)
        let length = lseek(memory, 0, SEEK_END)
        guard length > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let count = pread(memory, &bytes, bytes.count, 0)
        lseek(memory, 0, SEEK_SET)
        ftruncate(memory, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    deinit {
        delscreen(screen)
        fclose(output)
        fclose(input)
    }
}
