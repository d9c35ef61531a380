import Glibc
import Testing

/// Texts that are kept in `Goldens/`. `RECORD=1` writes them anew.
enum Golden {
    /// Expects `text` to be what was recorded as `name`.
    static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let directory = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Goldens"
        let path = "\(directory)/\(name).txt"
        if getenv("RECORD") != nil {
            let stream = try #require(fopen(path, "w"))
            fputs(text, stream)
            fclose(stream)
            return
        }
        let stream = try #require(fopen(path, "r"), "no \(path): record it with RECORD=1")
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 200_000)
        let golden = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, stream)], as: UTF8.self)
        #expect(text == golden, "\(name)\nexpected:\n\(golden)\ngot:\n\(text)", sourceLocation: sourceLocation)
    }
}
