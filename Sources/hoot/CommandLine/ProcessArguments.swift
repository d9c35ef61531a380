import Glibc

/// The program's arguments as other users see them in `ps`.
enum ProcessArguments {
    /// Overwrites what stands behind the `#` of every link among the arguments, where the kernel keeps them: it is the
    /// secret that lets one into a room. Call it once the arguments have been copied.
    static func hideSecrets() {
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let argument = CommandLine.unsafeArgv[index], strstr(argument, "://") != nil,
                let mark = strchr(argument, Int32(UInt8(ascii: "#")))
            else { continue }
            memset(mark + 1, Int32(UInt8(ascii: "x")), strlen(mark + 1))
        }
    }
}
