import Foundation

/// `hoot-bench`: all measurements of speech as JSON. `hoot-bench codec …`: one run of the codec path. `hoot-bench pictures`:
/// what moving pictures in a terminal cost and look like; `hoot-bench video …`: what encoding them costs, as JSON.
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

/// Why a measurement could not be made.
struct BenchError: Error, CustomStringConvertible {
    var description: String
}
