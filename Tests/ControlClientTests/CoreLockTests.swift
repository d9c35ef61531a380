import ControlClient
import Glibc
import Primitives
import TestSupport
import Testing

@Suite struct CoreLockTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func theLockHasOneOwnerAndNamesIt() throws {
        let path = directory.path + "/core.lock"
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
        let directories = Directories(
            environment: ["HOOT_RUNTIME_DIR": directory.path, "HOOT_STATE_DIR": directory.path], userID: getuid())
        #expect(try CoreLauncher(directories: directories).connect() == nil)
    }

    @Test func aPathTooLongForASocketIsNamed() throws {
        let long = directory.path + "/" + String(repeating: "d", count: 120)
        let directories = Directories(environment: ["HOOT_RUNTIME_DIR": long], userID: getuid())
        #expect(throws: ClientError.self) { try CoreLauncher(directories: directories).connect() }
    }
}
