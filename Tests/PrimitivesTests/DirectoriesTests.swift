import Glibc
import TestSupport
import Testing

@testable import Primitives

struct DirectoriesTests {
    private let home = ["HOME": "/home/a"]

    @Test func withNothingSetEverythingIsAtItsUsualPlace() {
        let directories = Directories(environment: home, userID: 7)
        #expect(directories.runtime == "/tmp/hoot-7")
        #expect(directories.configuration == "/home/a/.config/hoot")
        #expect(directories.state == "/home/a/.local/state/hoot")
        #expect(directories.socketPath == "/tmp/hoot-7/core.sock")
    }

    @Test func xdgRuntimeDirIsNotUsedBecauseItGoesWithTheLogin() {
        let directories = Directories(environment: home.merging(["XDG_RUNTIME_DIR": "/run/user/7"]) { $1 }, userID: 7)
        #expect(directories.runtime == "/tmp/hoot-7")
    }

    @Test func ownVariablesWinOverXDGAndXDGOverHome() {
        var environment = home
        environment["XDG_CONFIG_HOME"] = "/x/c/"
        environment["XDG_STATE_HOME"] = "/x/s"
        #expect(Directories(environment: environment, userID: 7).configuration == "/x/c/hoot")
        #expect(Directories(environment: environment, userID: 7).state == "/x/s/hoot")
        environment["HOOT_CONFIG_DIR"] = "/c"
        environment["HOOT_STATE_DIR"] = "/s//"
        environment["HOOT_RUNTIME_DIR"] = "/r"
        let directories = Directories(environment: environment, userID: 7)
        #expect([directories.runtime, directories.configuration, directories.state] == ["/r", "/c", "/s"])
    }

    @Test(arguments: ["", "relative/home", "/", "/nonexistent"])
    func withoutAUsableHomeEverythingIsBelowTheRuntimeDirectory(home: String) {
        let directories = Directories(environment: ["HOME": home], userID: 7)
        #expect(directories.configuration == "/tmp/hoot-7/config")
        #expect(directories.state == "/tmp/hoot-7/state")
    }

    @Test func anEmptyHomeFallsBackToThePasswordEntry() {
        let directories = Directories(environment: ["HOME": ""], userID: 7, passwordHome: "/home/b")
        #expect(directories.configuration == "/home/b/.config/hoot")
    }

    @Test func relativeValuesAreIgnored() {
        let environment = ["HOME": "/h", "XDG_STATE_HOME": "s", "HOOT_STATE_DIR": "."]
        let directories = Directories(environment: environment, userID: 1)
        #expect(directories.state == "/h/.local/state/hoot")
    }

    @Test func preparingMakesMissingParentsAndClosesTheDirectoryToOthers() throws {
        let base = try TemporaryDirectory()
        let path = base.path + "/a/b"
        try Directories.makePrivate(path)
        #expect(try mode(of: path) == 0o700)
        chmod(path, 0o755)
        try Directories.makePrivate(path)
        #expect(try mode(of: path) == 0o700)
    }

    @Test func aLinkOrAFileInItsPlaceIsRefused() throws {
        let base = try TemporaryDirectory()
        let link = base.path + "/link"
        symlink("/tmp", link)
        let error = #expect(throws: UserFacingError.self) { try Directories.makePrivate(link) }
        #expect(error?.description == "cannot use \(link): it is not a directory; move it away")
    }

    @Test func aDirectoryOfAnotherUserIsRefused() throws {
        // As root every directory of the system is our own, so one is given away.
        let directory = try TemporaryDirectory()
        let given = geteuid() == 0 ? directory.path : "/etc"
        if given != "/etc" { chown(given, 12345, 12345) }
        #expect(throws: UserFacingError.self) { try Directories.makePrivate(given) }
    }

    @Test func aSocketPathThatIsTooLongSaysSoBeforeAnythingIsMade() {
        let long = "/tmp/" + String(repeating: "x", count: 100)
        let directories = Directories(environment: ["HOOT_RUNTIME_DIR": long], userID: 7)
        let error = #expect(throws: UserFacingError.self) { try directories.prepareRuntime() }
        #expect(error?.why == "it has 115 bytes and a socket's path holds 107")
        #expect(access(long, F_OK) != 0)
    }

    private func mode(of path: String) throws -> UInt32 {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode & 0o777
    }
}
