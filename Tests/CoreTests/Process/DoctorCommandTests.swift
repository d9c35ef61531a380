import Foundation
import Primitives
import TestSupport
import Testing

/// `hoot doctor` on this machine.
@Suite(.serialized) struct DoctorCommandTests {
    private let hoot: HootProgram

    init() throws {
        hoot = try HootProgram()
    }

    @Test func theDoctorTellsTheTruthHere() throws {
        let without = try hoot.run("doctor")
        #expect(without.status == 0)
        #expect(without.output.contains("ok      core: not running; hoot starts it"))
        #expect(without.output.contains("missing sound server: none listens at \(hoot.base.path)/nothing"))
        #expect(
            without.output.contains("ssh -R \(hoot.directories.runtime)/pulse.sock:$XDG_RUNTIME_DIR/pulse/native HOST"))
        #expect(hoot.corePID == nil, "looking starts nothing")
        #expect(try hoot.run("core").status == 0)
        let with = try hoot.run("doctor").output
        #expect(with.contains("ok      core: running, pid \(hoot.corePID ?? 0)"))
        #expect(with.split(separator: "\n").count { $0.contains("sound server") } == 1, "\(with)")
    }

    @Test func theDoctorNamesEachFaultOfTheConfiguration() throws {
        try hoot.directories.prepareConfiguration()
        let (settings, keys) = (hoot.directories.settingsPath, hoot.directories.keysPath)
        let fine = try hoot.run("doctor").output
        #expect(fine.contains("ok      hoot.conf: ") && fine.contains("ok      keys.conf: ") && !fine.contains("wrong"))
        let text = "[call]\nanswer-interval = 5\nnonsense\n[console]\ntheme = gone\n[other]\nx = 1\n"
        try text.write(toFile: settings, atomically: true, encoding: .utf8)
        try "mute = m F2\ndance = d\nhold = m\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let people = hoot.directories.peoplePath
        try "[verified]\nbob = 1\n".write(toFile: people, atomically: true, encoding: .utf8)
        let output = try hoot.run("doctor").output
        for (what, mend) in [
            ("wrong   hoot.conf: \(settings):2: parameter “call.answer-interval”: expected", "+2 \(settings)"),
            ("wrong   hoot.conf: \(settings):3: is no \"key = value\"", "+3 \(settings)"),
            ("wrong   hoot.conf: \(settings):7: no setting “other.x”", "+7 \(settings)"),
            ("wrong   keys.conf: \(keys):2: there is no action \"dance\"", "+2 \(keys)"),
            ("wrong   keys.conf: \(keys): m does both mute and hold", "\(keys)"),
            ("wrong   people.conf: \(people):2: bob is no fingerprint", "+2 \(people)"),
            ("missing theme: gone is not there", "hoot theme list"),
        ] {
            let lines = output.split(separator: "\n")
            let line = lines.firstIndex { $0.hasPrefix(what) }
            #expect(line.map { lines[$0 + 1].hasSuffix(mend) } == true, "\(what) in \(output)")
        }
        let theme = hoot.directories.themesPath + "/mine.theme"
        try FileManager.default.createDirectory(
            atPath: hoot.directories.themesPath, withIntermediateDirectories: true)
        try "[palette]\nnonsense\n".write(toFile: theme, atomically: true, encoding: .utf8)
        try "[console]\ntheme = mine\n".write(toFile: settings, atomically: true, encoding: .utf8)
        let themed = try hoot.run("doctor").output.split(separator: "\n")
        let fault = try #require(themed.firstIndex { $0.hasPrefix("wrong   theme: ") })
        #expect(themed[fault + 1].hasSuffix("+2 \(theme)"), "\(themed)")
        try text.write(toFile: settings, atomically: true, encoding: .utf8)
        #expect(try hoot.run("core").status == 0)
        let running = try hoot.run("doctor").output
        #expect(running.split(separator: "\n").count { $0.contains("other.x") } == 1, "not told twice: \(running)")
    }
}
