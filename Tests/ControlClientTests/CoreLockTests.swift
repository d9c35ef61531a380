import ControlClient
import Glibc
import Primitives
import Testing

@Suite struct CoreLockTests {
    private func makeDirectory() throws -> String {
        var template = Array("/tmp/hoot-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func theLockHasOneOwnerAndNamesIt() throws {
        let path = try makeDirectory() + "/core.lock"
        #expect(CoreLock.owner(lockPath: path) == nil)
        do {
            let lock = try CoreLock(lockPath: path, socketPath: "/run/x/core.sock")
            guard lock != nil else {
                Issue.record("the free lock was not given")
                return
            }
            if try CoreLock(lockPath: path, socketPath: "/elsewhere") != nil {
                Issue.record("the lock was given twice")
            }
            #expect(CoreLock.owner(lockPath: path)?.pid == getpid())
            #expect(CoreLock.owner(lockPath: path)?.socketPath == "/run/x/core.sock")
        }
        #expect(CoreLock.owner(lockPath: path) == nil)
    }

    @Test func withNoCoreThereIsNoConnection() throws {
        let directory = try makeDirectory()
        let directories = Directories(
            environment: ["HOOT_RUNTIME_DIR": directory, "HOOT_STATE_DIR": directory], userID: getuid())
        #expect(try CoreLauncher(directories: directories).connect() == nil)
    }

    @Test func aPathTooLongForASocketIsNamed() throws {
        let long = try makeDirectory() + "/" + String(repeating: "d", count: 120)
        let directories = Directories(environment: ["HOOT_RUNTIME_DIR": long], userID: getuid())
        #expect(throws: ClientError.self) { try CoreLauncher(directories: directories).connect() }
    }
}
