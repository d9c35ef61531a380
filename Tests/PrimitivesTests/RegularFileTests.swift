import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

struct RegularFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func devicesPipesAndDirectoriesAreNoFiles() throws {
        let pipe = directory.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in ["/dev/zero", pipe, directory.path] {
            #expect(throws: RegularFileError.notRegular) { try RegularFile.read(path) }
        }
        #expect(throws: RegularFileError.failed(ENOENT)) { try RegularFile.read(directory.path + "/nothing") }
    }

    @Test func aFileIsReadUpToTheLimit() throws {
        let file = directory.path + "/file"
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        #expect(try RegularFile.read(file) == bytes)
        #expect(try RegularFile.read(file, limit: 70_000) == Array(bytes.prefix(70_000)))
    }
}
