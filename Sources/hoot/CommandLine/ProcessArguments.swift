import Glibc

/// The program's arguments as other users see them in `ps`.
enum ProcessArguments {
    /// Overwrites secrets among the arguments, where the kernel keeps them: what stands behind the `#` of a link, which
    /// lets one into a room, and the value that a setting is set to. Call it once the arguments have been copied.
    static func hideSecrets() {
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let argument = CommandLine.unsafeArgv[index], let secret = secret(in: argument) else { continue }
            memset(secret, Int32(UInt8(ascii: "x")), strlen(secret))
        }
    }

    /// The place, from 1, of the first argument that is not UTF-8; such bytes would be replaced unseen.
    static var unreadable: Int? {
        (1..<max(Int(CommandLine.argc), 1)).first { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
        }
    }

    private static func secret(in argument: UnsafeMutablePointer<CChar>) -> UnsafeMutablePointer<CChar>? {
        if strncmp(argument, "value=", 6) == 0 { return argument + 6 }
        guard strstr(argument, "://") != nil else { return nil }
        return strchr(argument, Int32(UInt8(ascii: "#"))).map { $0 + 1 }
    }
}
