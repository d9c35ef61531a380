import Glibc

/// The program's arguments as other users see them in `ps`.
enum ProcessArguments {
    /// Overwrites what stands behind the `#` of the argument `word`, where the kernel keeps it.
    static func hide(_ word: String) {
        guard let mark = word.utf8.firstIndex(of: UInt8(ascii: "#")) else { return }
        let secret = word.utf8.distance(from: mark, to: word.utf8.endIndex) - 1
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index], strcmp(argument, word) == 0 else { continue }
            memset(argument + (word.utf8.count - secret), Int32(UInt8(ascii: "x")), secret)
        }
    }
}
