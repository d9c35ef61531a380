import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

/// Directories that cannot be used, other users, no home: clear errors or normal work.
@Suite(.serialized) struct HostileSurroundingsTests {
    private let hoot: HootProgram
    /// Runs a program as a user who is not this one, where this one may do that.
    private static let asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    private static let isRoot = geteuid() == 0

    init() throws {
        hoot = try HootProgram()
    }

    private func fails(_ what: String, _ words: [String] = ["core"]) throws {
        let outcome = try hoot.run("core")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("hoot: core: ") && outcome.errors.contains(what), "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(hoot.corePID == nil)
    }

    @Test func aPathTooLongIsNamed() throws {
        hoot.environment["HOOT_RUNTIME_DIR"] = hoot.base.path + "/" + String(repeating: "d", count: 100)
        try fails("set HOOT_RUNTIME_DIR to a shorter")
    }

    @Test func aFileInPlaceOfTheRuntimeDirectoryIsNamed() throws {
        try Data().write(to: URL(fileURLWithPath: hoot.directories.runtime))
        try fails("it is not a directory; move it away")
    }

    @Test func aLinkInPlaceOfTheRuntimeDirectoryIsNamed() throws {
        symlink(hoot.base.path, hoot.directories.runtime)
        try fails("it is not a directory; move it away")
    }

    @Test(.enabled(if: isRoot)) func aForeignRuntimeDirectoryIsRefused() throws {
        mkdir(hoot.directories.runtime, 0o777)
        chown(hoot.directories.runtime, 65534, 65534)
        try fails("it belongs to user 65534 and not to you; remove it or set HOOT_RUNTIME_DIR")
    }

    @Test func aStateDirectoryThatCannotBeMadeIsNamed() throws {
        hoot.environment["HOOT_STATE_DIR"] = "/proc/hoot"
        try fails("cannot make the directory /proc/hoot: No such file or directory; ")
    }

    @Test func withoutHomeEverythingLivesBelowTheRuntimeDirectory() throws {
        for name in ["HOOT_STATE_DIR", "HOOT_CONFIG_DIR"] { hoot.environment[name] = nil }
        hoot.environment["HOME"] = "/nonexistent"
        let outcome = try hoot.run("core")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(access(hoot.directories.runtime + "/state/hoot.log", F_OK) == 0)
        #expect(try hoot.run("ctl", "settings.set", "name=audio.gain", "value=90").output == "90\n")
        #expect(try hoot.run("core", "stop").status == 0)
    }

    @Test(.enabled(if: isRoot)) func anUnprivilegedUserHasItsOwnCore() throws {
        chown(hoot.base.path, 65534, 65534)
        let outcome = try hoot.run("core", prefix: Self.asNobody)
        #expect(outcome.status == 0, "\(outcome)")
        let host = try hoot.run("host", "r", "--listen=127.0.0.1:0", "--detach", prefix: Self.asNobody)
        #expect(host.status == 0, "\(host)")
        #expect(try hoot.run("core", "stop", prefix: Self.asNobody).output == "stopped\n")
    }

    @Test(.enabled(if: isRoot)) func aReadOnlyRuntimeDirectoryIsNamed() throws {
        chown(hoot.base.path, 65534, 65534)
        for name in ["run", "state", "conf"] {
            mkdir("\(hoot.base.path)/\(name)", 0o700)
            chown("\(hoot.base.path)/\(name)", 65534, 65534)
        }
        chmod(hoot.directories.runtime, 0o500)
        let outcome = try hoot.run("core", prefix: Self.asNobody)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.hasPrefix("hoot: core: the core did not start: ")
                && outcome.errors.contains("Permission denied"), "\(outcome)")
    }

    @Test(.enabled(if: isRoot)) func anotherUserIsRefused() throws {
        #expect(try hoot.run("core").status == 0)
        // Were the modes ever loosened, the uid still counts.
        chmod(hoot.base.path, 0o755)
        chmod(hoot.directories.runtime, 0o755)
        chmod(hoot.directories.socketPath, 0o666)
        let directories = hoot.directories
        let theirs = hoot.base.path + "/nobody"
        #expect(mkdir(theirs, 0o700) == 0 && chown(theirs, 65534, 65534) == 0)
        hoot.environment["HOOT_STATE_DIR"] = theirs
        let outcome = try hoot.run("ctl", "core.state", prefix: Self.asNobody)
        hoot.environment["HOOT_STATE_DIR"] = directories.state
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("the core is gone"), "\(outcome)")
        let log = try String(contentsOfFile: directories.logPath, encoding: .utf8)
        #expect(log.contains("refused a connection of user 65534"))
    }

    @Test func aFileOfNonsenseIsSettingsWithWarnings() throws {
        try hoot.directories.prepareConfiguration()
        let path = hoot.directories.settingsPath
        let text = "# mine\n[audio]\n# loud\ngain=9000\nnonsense\nvolume=80\n[nowhere]\na=b\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try hoot.run("core").status == 0)
        let problems = try hoot.attach().state().problems.filter { $0.code == "settings" }
        #expect(problems.contains { $0.text.contains("\(path):4") && $0.text.contains("from 0 to 400, got 9000") })
        #expect(problems.contains { $0.text.contains("\(path):5") })
        #expect(problems.contains { $0.text.contains("nowhere.a") })
        #expect(try hoot.run("ctl", "settings.get", "name=audio.volume").output == "80\n")
        #expect(try hoot.run("ctl", "settings.set", "name=audio.gain", "value=120").status == 0)
        let saved = try String(contentsOfFile: path, encoding: .utf8)
        #expect(saved.contains("# mine") && saved.contains("# loud") && saved.contains("gain=120"))
    }

    @Test func settingsThatCannotBeReadOrSavedHoldAllTheSame() throws {
        try hoot.directories.prepareConfiguration()
        mkdir(hoot.directories.settingsPath, 0o700)
        #expect(try hoot.run("core").status == 0)
        #expect(try hoot.run("ctl", "audio.volume", "percent=70").status == 0)
        let state = try hoot.attach().state()
        #expect(state.audio.volumePercent == 70)
        #expect(state.problems.contains { $0.code == "settings" && $0.text.contains("not a regular file") })
        #expect(state.problems.contains { $0.code == "settings.save" })
    }
}
