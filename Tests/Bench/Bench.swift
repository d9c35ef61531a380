import Foundation

/// `hoot-bench`: all measurements of speech as JSON. `hoot-bench codec …`: one run of the codec path. `hoot-bench pictures`:
/// what moving pictures in a terminal cost and look like; `hoot-bench video …`: what encoding them costs; `hoot-bench glass`:
/// how old a picture is when it stands in another console's cells; `hoot-bench screen`: frames of a large call. All as JSON.
@main struct Bench {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments.first == "codec" {
                try print(CodecRun(arguments: Array(arguments.dropFirst())).perform())
            } else if arguments.first == "pictures" {
                try print(TerminalPictures().perform())
            } else if arguments.first == "video" {
                try print(VideoCost(arguments: Array(arguments.dropFirst())).perform())
            } else if arguments.first == "glass" {
                try print(GlassToCell().perform())
            } else if arguments.first == "screen" {
                try print(ScreenCost().perform())
            } else {
                try exit(runSpeechQuality())
            }
        } catch {
            FileHandle.standardError.write(Data("hoot-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    /// The script scores what this program makes of recorded speech.
    private static func runSpeechQuality() throws -> Int32 {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "speech-quality.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.arguments = ["python3", script.path, own]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// What measured, as the scripts name it.
struct Machine: Encodable {
    var cpu = ""
    var cores = ProcessInfo.processInfo.processorCount
    var kernel = ""
    var load = 0.0

    init() {
        var name = utsname()
        uname(&name)
        func text<Bytes>(_ bytes: Bytes) -> String {
            withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        (cpu, kernel) = (text(name.machine), text(name.release))
        getloadavg(&load, 1)
    }
}

/// A measurement as JSON.
func report(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// Why a measurement could not be made.
struct BenchError: Error, CustomStringConvertible {
    var description: String
}
