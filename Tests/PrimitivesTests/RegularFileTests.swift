import Foundation
import Glibc
import Primitives
import Testing

struct RegularFileTests {
    @Test func devicesPipesAndDirectoriesAreNoFiles() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "hoot-file-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let pipe = directory.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in ["/dev/zero", pipe, directory.path] {
            #expect(throws: RegularFileError.notRegular) { try RegularFile.read(path) }
        }
        #expect(throws: RegularFileError.failed(ENOENT)) { try RegularFile.read(directory.path + "/nothing") }
    }

    @Test func aFileIsReadUpToTheLimit() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "hoot-file-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: file)
        #expect(try RegularFile.read(file.path) == bytes)
        #expect(try RegularFile.read(file.path, limit: 70_000) == Array(bytes.prefix(70_000)))
    }
}
